[(table) (tighten) (derive) (classify) (examples) (block)] @fold
