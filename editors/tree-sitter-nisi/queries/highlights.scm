; Every word has one capture: which of two patterns wins differs from editor to editor.

(comment) @comment
(documentation) @comment.documentation
(string) @string
[(number) (instant) (bare) (row_number)] @number

; Prose.
[(reason_text) (example_name)] @string

[
  "policy" "owner" "use" "restricts" "fact" "extend" "budget" "backoff" "locator" "parity" "group" "action"
  "derive" "classify" "table" "tighten" "rule" "waive" "examples" "given"
  "is" "and" "or" "not" "starts" "when" "unless" "if" "refused" "after" "now" "by" "within" "to" "spend" "of" "step"
  "never" "only" "for" "because" "until"
  "first" "row" "rows" "wins" "agree" "at" "most" "one" "cautious" "highest" "lowest"
  "stop" "done" "review" "reconcile" "retry" "hedge" "failover" "see"
] @keyword
(wait) @keyword
(version "version" @keyword)
(verb name: (name) @keyword)
[(known) (unknown) (otherwise) (any_unknown)] @constant.builtin
(basic_type ["count" "integer" "decimal" "duration" "instant" "version" "text"] @type.builtin)

["=>" "->" ">=" "<=" ">" "<" ".." "..<" "/" (any)] @operator
["," ";" ":"] @punctuation.delimiter
["|" (delimiter_row)] @punctuation.delimiter
(reason "-" @punctuation.delimiter)
["{" "}"] @punctuation.bracket

(policy name: (name) @module)
(use file: (name) @module)
(restricts base: (name) @module)

(fact name: (name) @property)
(extend fact: (name) @property)
(group fact: (name) @property)
(derived name: (name) @property)
(classify fact: (name) @property)
(test fact: (name) @property)
(column name: (name) @keyword (#any-of? @keyword "row" "also" "name" "action"))
(column name: (name) @property (#not-any-of? @property "row" "also" "name" "action"))

(values (name) @constant)
(range [low: (name) high: (name)] @constant)
(comparison (name) @constant)
(choice_type (name) @constant)
(ordered_type (name) @constant)
(points (name) @constant)
(extend value: (name) @constant)
(group value: (name) @constant)
(group name: (name) @constant)
(cell output: (name) @constant)

(action_definition name: (name) @function)
(action name: (name) @function)
(refused name: (name) @function)

(table name: (name) @type)
(tighten name: (name) @type)
(classify name: (name) @type)
(examples table: (name) @type)
(see table: (name) @type)
(row_reference table: (name) @type)

(cell row: (name) @label)
(row_reference row: (name) @label)
(reason row: (name) @label)

(backoff name: (name) @variable)
(locator name: (name) @variable)
(parity name: (name) @variable)
(rule name: (name) @variable)
(waive rule: (name) @variable)
(owner owner: (name) @variable)
(waive owner: (name) @variable)
(review queue: (name) @variable)
(reconcile locator: (name) @variable (#not-eq? @variable "event"))
(reconcile locator: (name) @keyword (#eq? @keyword "event"))
(retry backoff: (name) @variable)
(failover parity: (name) @variable)
(verb parity: (name) @variable)

(entry key: (name) @attribute)
(entry word: (name) @keyword (#any-of? @keyword "of" "at" "least" "per" "within" "broader" "differ"))
(entry word: (name) @variable (#not-any-of? @variable "of" "at" "least" "per" "within" "broader" "differ"))
