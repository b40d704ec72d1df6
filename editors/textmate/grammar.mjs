// The TextMate grammar of nisi, put together: `node editors/textmate/grammar.mjs` writes `nisi.tmLanguage.json` from it.
//
// An item goes from its first word to the first word of the next one. In a table the header decides what stands in the cells
// below; a grammar of regular expressions cannot remember it, so each shape of a header begins a region of its own.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ITEMS =
  'policy|version|owner|use|restricts|fact|extend|budget|backoff|locator|parity|group|action|derive|classify|table|tighten|' +
  'rule|waive|examples';
const NAME = '[A-Za-z_](?:[A-Za-z0-9_]|-(?!>)|\\.(?=[A-Za-z0-9_]))*';
/** Where a word ends. */
const END = '(?![A-Za-z0-9_-])';
const NEXT_ITEM = `(?=^(?:${ITEMS})${END})`;
/** What stands between two bars; a bar behind a backslash is text. */
const CELL = '(?:[^|\\\\]|\\\\.)*';
/** Behind the last bar of a row. */
const TAIL = '\\s*(?:#.*)?$';

// The scopes, by what the language server calls the same words.
const KEYWORD = 'keyword.other.nisi';
const VERB = 'keyword.control.nisi';
const CONSTANT = 'constant.language.nisi';
const NUMBER = 'constant.numeric.nisi';
const TEXT = 'string.quoted.double.nisi';
const PROSE = 'string.unquoted.nisi';
const COMMENT = 'comment.line.number-sign.nisi';
const DOCUMENTATION = 'comment.line.documentation.nisi';
const OPERATOR = 'keyword.operator.nisi';
const SIGN = 'punctuation.separator.nisi';
const BAR = 'punctuation.separator.table.nisi';
const FACT = 'variable.other.property.nisi';
const VALUE = 'variable.other.enummember.nisi';
const VARIABLE = 'variable.other.nisi';
const TABLE = 'entity.name.type.nisi';
const ROW = 'entity.name.function.member.nisi';
const ACTION = 'entity.name.function.nisi';
const FILE = 'entity.name.namespace.nisi';
const KEY = 'support.type.property-name.nisi';
const TYPE = 'support.type.nisi';

const include = (...names) => names.map(name => ({ include: `#${name}` }));
const captures = (...scopes) =>
  Object.fromEntries(
    scopes.flatMap((scope, i) => (scope ? [[`${i + 1}`, typeof scope === 'string' ? { name: scope } : scope]] : [])),
  );
/** One piece: its groups have these scopes. */
const match = (regex, ...scopes) => ({ match: regex, captures: captures(...scopes) });
/** One piece of one scope. */
const all = (regex, name) => ({ name, match: regex });
const patterns = (...list) => ({ patterns: list.flat() });

const repository = {
  comment: patterns(all('(?<!\\S)##.*$', DOCUMENTATION), all('(?<!\\S)#.*$', COMMENT)),
  'comment-line': patterns(match('^\\s*(##.*)$', DOCUMENTATION), match('^\\s*(#.*)$', COMMENT)),
  string: {
    name: TEXT,
    begin: '"(?=(?:[^"\\\\]|\\\\.)*")',
    end: '"',
    patterns: [all('\\\\["\\\\|nt]', 'constant.character.escape.nisi')],
  },
  number: patterns(
    all('\\d{4}-\\d{2}-\\d{2}(?:[Tt](?:[A-Za-z0-9:+-]|\\.(?=\\d))*)?', 'constant.numeric.date.nisi'),
    all('-?\\d(?:[A-Za-z0-9_]|\\.(?=[A-Za-z0-9]))*', NUMBER),
  ),
  operator: patterns(all('=>|->|>=|<=|\\.\\.<|\\.\\.|>|<', OPERATOR), all('[,;:/]', SIGN)),

  // ---- Words of heads and cells ----

  hit: match(
    '\\b(?:(first)\\s+(row)\\s+(wins)|(at)\\s+(most)\\s+(one)\\s+(row)|(rows)\\s+(agree)|(most)\\s+(cautious)\\s+(wins)|' +
      `(highest|lowest)\\s+(wins))${END}`,
    ...Array(14).fill(KEYWORD),
  ),
  refused: match(`\\b(if)\\s+(refused)${END}`, KEYWORD, KEYWORD),
  condition: patterns(
    include('string', 'number', 'operator'),
    match(`(${NAME})\\s+(is)${END}`, FACT, KEYWORD),
    all(`(?:known|unknown)${END}`, CONSTANT),
    all(`(?:or|and|not)${END}`, KEYWORD),
    match('(starts)\\s+(?=")', KEYWORD),
    all(NAME, VALUE),
  ),
  action: patterns(
    include('string', 'number', 'operator', 'refused'),
    match(`(see)\\s+(${NAME})`, VERB, TABLE),
    match(`(review)(?:\\s+(${NAME}))?${END}`, VERB, VARIABLE),
    all(`(?:retry|hedge|failover|reconcile|stop|done|wait)${END}`, VERB),
    match(`(by)\\s+(event)${END}`, KEYWORD, KEYWORD),
    match(`(after|by|to)\\s+(${NAME})`, KEYWORD, VARIABLE),
    all(`(?:after|within|now|spend)${END}`, KEYWORD),
    all(NAME, ACTION),
  ),
  reference: patterns(
    include('string'),
    all('#\\d+', NUMBER),
    match(`(${NAME})\\s*(/)`, TABLE, SIGN),
    match(`(any)\\s+(unknown)${END}`, CONSTANT, CONSTANT),
    all(NAME, ROW),
  ),
  literal: patterns(include('string', 'number', 'operator'), all(`unknown${END}`, CONSTANT), all(NAME, VALUE)),
  type: patterns(
    // `count, integer` are two values that are called so; behind a type a comma stands before its hit policy.
    match(
      `(:)\\s*(count|integer|decimal|duration|instant|version|text)${END}(?!\\s*<)` +
        '(?!\\s*,\\s*(?!first\\s+row|at\\s+most|rows\\s+agree|most\\s+cautious|highest\\s+wins|lowest\\s+wins))',
      SIGN,
      TYPE,
    ),
    all(`(?:step|or)${END}`, KEYWORD),
    include('string', 'number', 'hit', 'operator'),
    all(NAME, VALUE),
  ),

  // ---- Tables ----

  column: patterns(
    include('operator'),
    all('\\|', BAR),
    all('(?<=[|>\\s])(?:row|also|name|action)(?=\\s*\\|)', KEY),
    all(NAME, FACT),
  ),
  dashes: all('^\\s*\\|(?:\\s*:?-+:?\\s*\\|)+(?=\\s*(?:#.*)?$)', BAR),
  bar: all('\\|', BAR),
  // `#3` and a bar is a row's number.
  'row-comment': match('(?<=\\|)\\s*(#(?!\\d+\\s*\\|).*)$', COMMENT),
  any: match('(?<=\\|)\\s*(-)\\s*(?=\\|)', OPERATOR),
  fixed: match('^\\s*(\\|)\\s*(?:(otherwise)|(any)\\s+(unknown))\\s*(?=\\|)', BAR, CONSTANT, CONSTANT, CONSTANT),
  named: {
    begin: `^\\s*(\\|)(?=\\s*(?:${NAME}|"))`,
    beginCaptures: captures(BAR),
    end: '(?=\\|)|$',
    patterns: [include('string'), all(NAME, ROW)].flat(),
  },
  free: match(`^\\s*(\\|)\\s*(${CELL})(?=\\|)`, BAR, PROSE),
  'action-last': cell('action', 0),
  'action-before-last': cell('action', 1),
  'reference-last': cell('reference', 0),
  'reference-before-last': cell('reference', 1),
  reason: {
    begin: '^\\s*(-)(?=\\s)\\s*(?:("(?:[^"\\\\]|\\\\.)*")|(#\\d+)|(any)\\s+(unknown)|([^:"]*?))\\s*(:)',
    beginCaptures: captures(SIGN, TEXT, NUMBER, CONSTANT, CONSTANT, ROW, SIGN),
    // Only indented lines go on.
    end: '(?=^(?!\\s+[^\\s|#-]))',
    contentName: PROSE,
    patterns: include('comment'),
  },
  'table-body': patterns(['named', undefined].map(first => body(first, ['action-last'], '.*=>\\s*action\\s*\\|'))),
  'outputs-body': patterns(['named', undefined].map(first => body(first, [], '.*\\|'))),
  'examples-body': patterns(
    ['free', undefined]
      .map(first => [
        body(first, ['action-before-last', 'reference-last'], '.*=>\\s*action\\s*\\|\\s*row\\s*\\|'),
        body(first, ['reference-before-last', 'action-last'], '.*=>\\s*row\\s*\\|\\s*action\\s*\\|'),
        body(first, ['action-last'], '.*=>\\s*action\\s*\\|'),
        body(first, ['reference-last'], '.*=>\\s*row\\s*\\|'),
      ])
      .flat(),
  ),

  // ---- Blocks ----

  'entry-words': patterns(
    include('comment', 'string'),
    all('-?\\d(?:[A-Za-z0-9_%/+-]|\\.(?=[A-Za-z0-9])|:(?=[A-Za-z0-9]))*', NUMBER),
    all(`(?:of|at|least|per|within|broader|differ)${END}`, KEY),
    all(NAME, VARIABLE),
    all(',', SIGN),
  ),
  block: patterns(
    braces('\\{(?=[^}]*\\})', '\\}', '(?<=[{,])\\s*'),
    // One that nobody closes ends with the item.
    braces('\\{', `\\}|(?=^(?!owner${END})(?:${ITEMS})${END})`, '(?:^|(?<=\\{))\\s*'),
  ),
  refusal: {
    begin: '(,)\\s*(if)\\s+(refused)\\s*(,)',
    beginCaptures: captures(SIGN, KEYWORD, KEYWORD, SIGN),
    end: `(?=^\\s*\\|)|${NEXT_ITEM}`,
    patterns: include('comment', 'action'),
  },
};

/** A cell with so many cells behind it. */
function cell(content, behind) {
  return {
    begin: `(\\|)(?=${`${CELL}\\|`.repeat(behind + 1)}${TAIL})`,
    beginCaptures: captures(BAR),
    end: '(?=\\|)|$',
    patterns: include(content),
  };
}

/** A table from its header on; `first` is what the first cells of rows are, `outputs` the last ones. */
function body(first, outputs, header) {
  const begins = { named: '\\|\\s*row\\s*\\|', free: '\\|\\s*name\\s*\\|' }[first] ?? '\\|';
  return {
    begin: `^\\s*(${begins}${header})\\s*(?:(#.*))?$`,
    beginCaptures: captures(patterns(include('column')), COMMENT),
    end: NEXT_ITEM,
    patterns: include(
      'comment-line',
      'dashes',
      'reason',
      'fixed',
      ...(first ? [first] : []),
      'row-comment',
      ...outputs,
      'any',
      'bar',
      'condition',
    ),
  };
}

/** A block whose entries begin behind this. */
function braces(begin, end, beforeKey) {
  return {
    begin,
    beginCaptures: { 0: { name: 'punctuation.section.block.begin.nisi' } },
    end,
    endCaptures: { 0: { name: 'punctuation.section.block.end.nisi' } },
    patterns: [match(`${beforeKey}(${NAME})`, KEY), ...include('entry-words')],
  };
}

/** An item: its first words, what its name is, and what stands behind. */
function item(words, name, ...behind) {
  return {
    begin: `^(${words})${END}${name ? `(?:\\s+(${NAME}))?` : ''}`,
    beginCaptures: captures(KEYWORD, name),
    end: NEXT_ITEM,
    patterns: [...include('comment'), ...behind.flat()],
  };
}

const items = [
  item('policy|use', FILE),
  item('version', undefined, include('literal')),
  item('owner', undefined, include('string'), all(NAME, VARIABLE)),
  item('restricts', FILE, include('literal')),
  item('fact', FACT, include('type')),
  item('extend', FACT, include('literal')),
  item('group', VALUE, match(`(of)\\s+(${NAME})`, KEYWORD, FACT), include('literal')),
  item('action', ACTION, include('action')),
  item('budget', undefined, include('block')),
  item('backoff|locator|parity', VARIABLE, include('block')),
  item('derive', FACT, include('outputs-body'), match(`(;)\\s*(${NAME})(?=\\s*:)`, SIGN, FACT), include('type')),
  item('classify', TABLE, include('outputs-body', 'hit', 'operator'), all(NAME, FACT)),
  item(
    'table|tighten',
    TABLE,
    include('table-body', 'refusal', 'hit'),
    all(`when${END}`, KEYWORD),
    include('condition'),
  ),
  item(
    'rule',
    VARIABLE,
    {
      begin: `(when|unless)${END}`,
      beginCaptures: captures(KEYWORD),
      end: NEXT_ITEM,
      patterns: include('comment', 'condition'),
    },
    all(`(?:never|only)${END}`, KEYWORD),
    match(`(to)\\s+(${NAME})`, KEYWORD, VARIABLE),
    all(`(?:review|reconcile|stop|wait|done|retry|hedge|failover)${END}`, VERB),
    all(NAME, ACTION),
    include('operator'),
  ),
  item(
    'waive',
    VARIABLE,
    match(`(owner)\\s+(${NAME})`, KEYWORD, VARIABLE),
    all(`(?:for|because|until|owner)${END}`, KEYWORD),
    include('string', 'number', 'reference', 'operator'),
  ),
  item('examples', TABLE, match(`^\\s*(given)${END}`, KEYWORD), include('examples-body', 'condition')),
];

const grammar = {
  name: 'nisi',
  scopeName: 'source.nisi',
  fileTypes: ['nisi'],
  patterns: [...include('comment'), ...items],
  repository,
};

/** The file's text. */
export const text = `${JSON.stringify(grammar, undefined, 2)}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('nisi.tmLanguage.json', import.meta.url), text);
}
