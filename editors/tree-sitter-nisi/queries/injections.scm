; Notes to oneself in comments, where the editor has a grammar for them.
((comment) @injection.content
  (#set! injection.language "comment"))
