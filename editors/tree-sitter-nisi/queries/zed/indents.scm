(block "}" @end) @indent
