(policy "policy" @context name: (name) @name) @item
(fact "fact" @context name: (name) @name) @item
(backoff "backoff" @context name: (name) @name) @item
(locator "locator" @context name: (name) @name) @item
(parity "parity" @context name: (name) @name) @item
(group "group" @context name: (name) @name) @item
(action_definition "action" @context name: (name) @name) @item
(derive "derive" @context . (derived name: (name) @name)) @item
(classify "classify" @context name: (name) @name) @item
(table "table" @context name: (name) @name) @item
(tighten "tighten" @context name: (name) @name) @item
(rule "rule" @context name: (name) @name) @item
(waive "waive" @context rule: (name) @name) @item
(examples "examples" @context table: (name) @name) @item
(row . (cell row: (_) @name)) @item
