/**
 * The nisi language for tree-sitter. What is right says `grammar/nisi.pest`; this grammar follows it rule by rule, and
 * `tests/` hold it to that. It reads every policy that nisi reads, and more: what it lets pass, nisi tells.
 *
 * The end of a line, and what a cell holds, cannot be told from the text up to there alone: an indented line goes on with
 * the item above, and the header of a table says what stands below it. Both come from `src/scanner.c`.
 */

/// <reference types="tree-sitter-cli/dsl" />

const sep1 = (sign, rule) => seq(rule, repeat(seq(sign, rule)));

/** Words that join others only where they can: elsewhere they are names. */
const HIT_WORDS = ['first', 'at', 'rows', 'most', 'highest', 'lowest', 'if'];
const BASIC_TYPES = ['count', 'integer', 'decimal', 'duration', 'instant', 'version', 'text'];

module.exports = grammar({
  name: 'nisi',

  externals: $ => [
    $.comment,
    $.documentation,
    $._gap,
    $._to_item,
    $._to_row,
    $._to_reason,
    $._to_entry,
    $._one_line,
    $._many_lines,
    $._table_header,
    $._outputs_header,
    $._examples_header,
    $.delimiter_row,
    $._row_name_cell,
    $._free_cell,
    $._fixed_cell,
    $._fact_cell,
    $._also_cell,
    $._action_cell,
    $._output_cell,
    $._expected_cell,
    $.example_name,
    $.reason_text,
    $._in_an_error,
  ],

  extras: $ => [/[ \t\r]+/, $._gap, $.comment, $.documentation],

  word: $ => $.name,

  reserved: {
    everywhere: _ => [],
    // No value has such a name.
    value: _ => ['and', 'or', 'not', 'known'],
  },

  conflicts: $ => [
    // `…, a, first row wins`: whether a list goes on behind its comma, the words behind it say.
    [$.values],
    [$.choice_type],
    [$.basic_type, $._type_value],
    // `a is b and c is d`: whether a test goes on behind `and`, the word behind the next one says.
    [$.condition],
  ],

  rules: {
    // ---- 1. The skeleton ----

    source_file: $ => seq(optional($._to_item), optional(seq(sep1($._to_item, $._item), optional($._to_item)))),

    _item: $ => choice(
      $.policy,
      $.version,
      $.owner,
      $.use,
      $.restricts,
      $.fact,
      $.extend,
      $.budget,
      $.backoff,
      $.locator,
      $.parity,
      $.group,
      $.action_definition,
      $.derive,
      $.classify,
      $.table,
      $.tighten,
      $.rule,
      $.waive,
      $.examples,
    ),

    // ---- 2. Words ----

    name: _ => /[A-Za-z_]([A-Za-z0-9_]|\.[A-Za-z0-9_]|-+\.?[A-Za-z0-9_])*/,
    string: _ => /"([^"\\\n]|\\["\\|nt])*"/,
    instant: _ => /[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt]([A-Za-z0-9:+-]|\.[0-9])*)?/,
    number: _ => /-?[0-9]([A-Za-z0-9_]|\.[A-Za-z0-9])*/,
    row_number: _ => /#[0-9]+/,

    _literal: $ => choice($.string, $.instant, $.number, alias('unknown', $.unknown), $._word),
    _value: $ => choice($.string, $._word),
    _word: $ => choice(reserved('value', $.name), alias(choice('starts', ...HIT_WORDS), $.name)),

    // ---- 3. Cells and tests ----

    tests: $ => sep1('and', $.test),
    test: $ => seq(field('fact', $.name), 'is', field('condition', $.condition)),

    condition: $ => sep1(choice('and', 'or'), $._atom),
    _atom: $ => choice(alias('known', $.known), $.negation, $.prefix, $.comparison, $.values),
    negation: $ => seq('not', $.values),
    prefix: $ => seq('starts', $.string),
    comparison: $ => seq(choice('>=', '<=', '>', '<'), $._literal),
    values: $ => sep1(',', choice($._literal, $.range)),
    range: $ => seq(field('low', $._literal), choice('..', '..<'), field('high', $._literal)),

    // ---- 4. Actions ----

    action: $ => seq($._step, repeat($.refused)),
    refused: $ => seq(';', 'if', 'refused', ',', $._step),
    _step: $ => choice(
      $.stop,
      $.done,
      alias('wait', $.wait),
      $.review,
      $.reconcile,
      $.retry,
      $.hedge,
      $.failover,
      $.see,
      field('name', $.name),
    ),
    stop: $ => seq('stop', optional(field('reason', $.string))),
    done: $ => seq('done', optional(field('reason', $.string))),
    review: $ => seq('review', optional(field('queue', choice($.name, $.string)))),
    reconcile: $ => seq(
      'reconcile',
      optional(seq('by', field('locator', $.name))),
      optional(seq('within', field('within', $._literal))),
    ),
    retry: $ => seq(
      'retry',
      optional(choice('now', seq('after', field('backoff', $.name)))),
      optional(seq(',', 'spend', field('spend', $._literal))),
    ),
    hedge: $ => seq('hedge', optional(field('copies', $.number)), optional(seq('after', field('after', $._literal)))),
    failover: $ => seq('failover', optional(seq('to', field('parity', $.name)))),
    see: $ => seq('see', field('table', $.name)),

    // ---- 5. Types ----

    _type: $ => choice($.basic_type, $.ordered_type, $.choice_type),
    basic_type: $ => seq(
      choice(...BASIC_TYPES),
      optional($.bounds),
      optional(seq('step', field('step', $._bound))),
    ),
    bounds: $ => choice(
      seq(field('low', $._bound), '..', optional(field('high', $._bound))),
      seq('..', field('high', $._bound)),
    ),
    _bound: $ => choice($.instant, $.number),
    ordered_type: $ => seq($._type_value, repeat1(seq('<', $._value))),
    choice_type: $ => seq($._type_value, repeat(seq(',', $._value))),
    _type_value: $ => choice($._value, alias(choice(...BASIC_TYPES), $.name)),
    points: $ => seq('or', sep1(',', $._value)),

    // ---- 6. Heads ----

    policy: $ => seq('policy', field('name', $.name)),
    version: $ => seq('version', field('version', $._literal)),
    owner: $ => seq('owner', field('owner', $._value)),
    use: $ => seq('use', field('file', $.name)),
    restricts: $ => seq('restricts', field('base', $.name), field('version', $._literal)),
    fact: $ => seq('fact', field('name', $.name), ':', field('type', $._type), optional($.points)),
    extend: $ => seq('extend', field('fact', $.name), ':', sep1(',', field('value', $._value))),
    group: $ => seq('group', field('name', $.name), 'of', field('fact', $.name), ':', sep1(',', field('value', $._literal))),
    action_definition: $ => seq('action', field('name', $.name), ':', $.action),

    budget: $ => seq('budget', $.block),
    backoff: $ => seq('backoff', field('name', $.name), $.block),
    locator: $ => seq('locator', field('name', $.name), $.block),
    parity: $ => seq('parity', field('name', $.name), $.block),

    derive: $ => seq('derive', sep1(';', $.derived), ',', $.hit, optional($._outputs_table)),
    derived: $ => seq(field('name', $.name), ':', field('type', $._type)),
    classify: $ => seq(
      'classify', field('name', $.name), '->', sep1(',', field('fact', $._any_name)), ',', $.hit,
      optional($._outputs_table),
    ),
    _any_name: $ => choice($.name, alias(choice(...HIT_WORDS), $.name)),
    table: $ => seq(
      'table', field('name', $.name), optional(seq('when', $.tests)), ',', $.hit, optional($.refusal),
      optional($._table),
    ),
    tighten: $ => seq('tighten', field('name', $.name), ',', $.hit, optional($.refusal), optional($._table)),
    refusal: $ => seq(',', 'if', 'refused', ',', $.action),

    rule: $ => seq(
      'rule', field('name', $.name), ':', choice('never', 'only'), sep1(',', $.verb),
      optional(seq(choice('when', 'unless'), $.tests)),
    ),
    verb: $ => seq(field('name', $.name), optional(seq('to', field('parity', $.name)))),
    waive: $ => seq(
      'waive', field('rule', $.name), optional(seq('for', sep1(',', $.row_reference))),
      'because', field('reason', $.string),
      optional(choice(seq($._signed, optional($._until)), seq($._until, optional($._signed)))),
    ),
    _signed: $ => seq('owner', field('owner', $._value)),
    _until: $ => seq('until', field('until', $._literal)),

    examples: $ => seq('examples', field('table', $.name), repeat($.given), optional($._examples_table)),
    given: $ => seq('given', $.tests),

    hit: _ => choice(
      seq('first', 'row', 'wins'),
      seq('at', 'most', 'one', 'row'),
      seq('rows', 'agree'),
      seq('most', 'cautious', 'wins'),
      seq('highest', 'wins'),
      seq('lowest', 'wins'),
    ),

    // ---- 7. Tables ----

    _table: $ => seq($._to_row, alias($._header_of_table, $.header), optional($._rows)),
    _outputs_table: $ => seq($._to_row, alias($._header_of_outputs, $.header), optional($._rows)),
    _examples_table: $ => seq($._to_row, alias($._header_of_examples, $.header), optional($._rows)),
    _rows: $ => repeat1(choice(
      seq($._to_row, choice($.delimiter_row, $.row)),
      seq($._to_reason, $.reason),
    )),

    _header_of_table: $ => seq($._table_header, $._columns),
    _header_of_outputs: $ => seq($._outputs_header, $._columns),
    _header_of_examples: $ => seq($._examples_header, $._columns),
    _columns: $ => seq('|', repeat1(seq($.column, '|'))),
    column: $ => seq(optional('=>'), field('name', $.name)),

    row: $ => seq('|', repeat1(seq($.cell, '|'))),
    cell: $ => choice(
      seq($._row_name_cell, optional(field('row', choice($.name, $.string)))),
      seq($._free_cell, optional(field('row', $.example_name))),
      seq($._fixed_cell, choice($.otherwise, $.any_unknown)),
      seq($._fact_cell, optional(choice($.any, $.condition))),
      seq($._also_cell, optional($.tests)),
      seq($._action_cell, optional($.action)),
      seq($._output_cell, optional(field('output', $._literal))),
      seq($._expected_cell, optional(choice($.row_reference, $._row_name))),
    ),
    any: _ => '-',
    otherwise: _ => 'otherwise',
    any_unknown: _ => seq('any', 'unknown'),

    row_reference: $ => seq(field('table', $._row_word), '/', $._row_name),
    _row_name: $ => field('row', choice($.any_unknown, $.string, $.row_number, $._row_word)),
    _row_word: $ => choice($.name, alias('any', $.name)),

    reason: $ => seq('-', $._reason_row, ':', repeat($.reason_text)),
    _reason_row: $ => choice($._row_name, field('row', alias($._words, $.name))),
    _words: $ => seq(choice($.name, $.number), repeat1(choice($.name, $.number))),

    // ---- 8. Blocks ----

    block: $ => choice(
      seq('{', $._one_line, optional(sep1(',', alias($._short_entry, $.entry))), optional(','), '}'),
      seq(
        '{', $._many_lines, optional($._to_entry),
        optional(seq(sep1($._to_entry, $.entry), optional($._to_entry))), '}',
      ),
    ),
    _short_entry: $ => seq(field('key', $._entry_key), repeat(field('word', $._entry_word))),
    entry: $ => seq(
      field('key', $._entry_key), repeat(seq(optional(','), field('word', $._entry_word))), optional(','),
    ),
    _entry_key: $ => choice($.name, $.number, $.bare, $.string),
    _entry_word: $ => choice($.name, $.number, $.instant, $.bare, $.string),
    // `10%`, `:` only before a letter or a digit.
    bare: _ => /([A-Za-z0-9_.%\/+-]|:[A-Za-z0-9])+/,
  },
});
