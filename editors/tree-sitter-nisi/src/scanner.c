// What the text up to a place cannot tell: where a line ends what it began, and what a cell holds.
//
// A line that is indented goes on with the item above; one that begins with a bar is a row, with a dash a reason, with
// the word of an item an item. What a cell holds, the header of its table says; so its columns are remembered, and nothing
// else but the kind of the line. No memory is taken after the start, and nothing is read twice but the header.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <string.h>

enum Token {
  COMMENT,
  DOCUMENTATION,
  GAP,
  TO_ITEM,
  TO_ROW,
  TO_REASON,
  TO_ENTRY,
  ONE_LINE,
  MANY_LINES,
  TABLE_HEADER,
  OUTPUTS_HEADER,
  EXAMPLES_HEADER,
  DELIMITER_ROW,
  ROW_NAME_CELL,
  FREE_CELL,
  FIXED_CELL,
  FACT_CELL,
  ALSO_CELL,
  ACTION_CELL,
  OUTPUT_CELL,
  EXPECTED_CELL,
  EXAMPLE_NAME,
  REASON_TEXT,
  IN_AN_ERROR,
};

// As many columns as nisi reads.
#define MAX_COLUMNS 64

enum Line { HEAD, BLOCK, ROW, REASON };

typedef struct {
  uint8_t line;
  // The next cell of the row, and what each column holds: one of the cell tokens.
  uint8_t column;
  uint8_t n_columns;
  uint8_t columns[MAX_COLUMNS];
} Scanner;

static const char *const ITEMS[] = {
    "policy", "version", "owner",  "use",    "restricts", "fact",  "extend",  "budget", "backoff", "locator",
    "parity", "group",   "action", "derive", "classify",  "table", "tighten", "rule",   "waive",   "examples",
};

static bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }
static bool is_part(int32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-';
}
static bool ends_line(TSLexer *lexer) { return lexer->eof(lexer) || lexer->lookahead == '\n'; }

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static bool emit(TSLexer *lexer, enum Token token) {
  lexer->result_symbol = token;
  return true;
}

static void pass_blanks(TSLexer *lexer) {
  while (is_blank(lexer->lookahead)) advance(lexer);
}

// Reads letters, digits, `_` and `-` into a buffer that ends in 0; what is too long for it is none of our words.
static void read_word(TSLexer *lexer, char *word, unsigned size) {
  unsigned length = 0;
  for (; is_part(lexer->lookahead); advance(lexer)) {
    if (length < size) word[length++] = (char)lexer->lookahead;
  }
  word[length < size ? length : 0] = 0;
}

static bool begins_item(const char *word) {
  for (unsigned i = 0; i < sizeof ITEMS / sizeof *ITEMS; i++) {
    if (strcmp(word, ITEMS[i]) == 0) return true;
  }
  return false;
}

// The end of a line, and what the next one that is not blank is. The token ends where that line starts.
static bool scan_line_end(Scanner *scanner, TSLexer *lexer, const bool *valid) {
  bool in_block = valid[IN_AN_ERROR] ? scanner->line == BLOCK : valid[TO_ENTRY];
  bool indented = false;
  while (lexer->lookahead == '\n' || is_blank(lexer->lookahead)) {
    indented = lexer->lookahead != '\n';
    advance(lexer);
    if (!indented) lexer->mark_end(lexer);
  }
  scanner->line = in_block ? BLOCK : HEAD;
  if (lexer->eof(lexer) || lexer->lookahead == '#') return emit(lexer, GAP);
  if (lexer->lookahead == '|') {
    scanner->line = ROW;
    scanner->column = 0;
    return emit(lexer, TO_ROW);
  }
  if (lexer->lookahead == '-' && !in_block) {
    advance(lexer);
    if (!ends_line(lexer) && !is_blank(lexer->lookahead)) return emit(lexer, GAP);
    scanner->line = REASON;
    return emit(lexer, TO_REASON);
  }
  char word[16];
  read_word(lexer, word, sizeof word);
  // `owner` begins an item, and an entry of `budget`.
  if (!indented && begins_item(word) && !(in_block && strcmp(word, "owner") == 0)) {
    scanner->line = HEAD;
    return emit(lexer, TO_ITEM);
  }
  return emit(lexer, in_block ? TO_ENTRY : GAP);
}

static bool scan_comment(TSLexer *lexer) {
  advance(lexer);
  enum Token token = lexer->lookahead == '#' ? DOCUMENTATION : COMMENT;
  // White space at the end of the line is none of its text.
  while (!ends_line(lexer)) {
    bool blank = is_blank(lexer->lookahead);
    advance(lexer);
    if (!blank) lexer->mark_end(lexer);
  }
  return emit(lexer, token);
}

// Passes over a cell, to its bar or to the end of the line.
static void pass_cell(TSLexer *lexer) {
  while (!ends_line(lexer) && lexer->lookahead != '|') {
    bool escapes = lexer->lookahead == '\\';
    advance(lexer);
    if (escapes && !ends_line(lexer)) advance(lexer);
  }
}

// What a column holds, by its name in the header.
static enum Token kind_of(const char *name, enum Token header, bool behind_arrow) {
  if (!behind_arrow) {
    if (strcmp(name, "also") == 0) return ALSO_CELL;
    if (header == EXAMPLES_HEADER) return strcmp(name, "name") == 0 ? FREE_CELL : FACT_CELL;
    return strcmp(name, "row") == 0 ? ROW_NAME_CELL : FACT_CELL;
  }
  if (header == OUTPUTS_HEADER) return OUTPUT_CELL;
  return header == EXAMPLES_HEADER && strcmp(name, "row") == 0 ? EXPECTED_CELL : ACTION_CELL;
}

// Reads the header of a table ahead, and remembers what its columns hold. The token is empty.
static bool scan_header(Scanner *scanner, TSLexer *lexer, enum Token header) {
  bool behind_arrow = false;
  scanner->n_columns = 0;
  while (lexer->lookahead == '|' && scanner->n_columns < MAX_COLUMNS) {
    advance(lexer);
    pass_blanks(lexer);
    if (ends_line(lexer) || lexer->lookahead == '#') break;
    if (lexer->lookahead == '=') {
      behind_arrow = true;
      while (lexer->lookahead == '=' || lexer->lookahead == '>') advance(lexer);
      pass_blanks(lexer);
    }
    char name[16];
    read_word(lexer, name, sizeof name);
    pass_blanks(lexer);
    // `also.more` is no `also`.
    if (lexer->lookahead != '|') name[0] = 0;
    scanner->columns[scanner->n_columns++] = kind_of(name, header, behind_arrow);
    pass_cell(lexer);
  }
  return emit(lexer, header);
}

// Whether a line is `|---|:--|`; it stands at its first bar.
static bool scan_delimiter(TSLexer *lexer) {
  bool any = false;
  while (lexer->lookahead == '|') {
    advance(lexer);
    lexer->mark_end(lexer);
    pass_blanks(lexer);
    if (any && (ends_line(lexer) || lexer->lookahead == '#')) return emit(lexer, DELIMITER_ROW);
    bool dashes = false;
    if (lexer->lookahead == ':') advance(lexer);
    for (; lexer->lookahead == '-'; advance(lexer)) dashes = true;
    if (lexer->lookahead == ':') advance(lexer);
    pass_blanks(lexer);
    if (!dashes) return false;
    any = true;
  }
  return false;
}

// Whether `otherwise` or `any unknown` fills the cell.
static bool is_fixed(TSLexer *lexer) {
  char word[16];
  read_word(lexer, word, sizeof word);
  pass_blanks(lexer);
  if (strcmp(word, "any") == 0) {
    read_word(lexer, word, sizeof word);
    pass_blanks(lexer);
    return strcmp(word, "unknown") == 0 && lexer->lookahead == '|';
  }
  return strcmp(word, "otherwise") == 0 && lexer->lookahead == '|';
}

// Begins a cell with an empty token that says what it holds. A `#` is a comment unless it is `#3` and a bar.
static bool scan_cell(Scanner *scanner, TSLexer *lexer) {
  if (lexer->lookahead == '#') {
    advance(lexer);
    bool digits = false;
    for (; is_digit(lexer->lookahead); advance(lexer)) digits = true;
    pass_blanks(lexer);
    if (!digits || lexer->lookahead != '|') {
      while (!ends_line(lexer)) advance(lexer);
      lexer->mark_end(lexer);
      return emit(lexer, COMMENT);
    }
  }
  unsigned column = scanner->column;
  if (column < MAX_COLUMNS) scanner->column++;
  enum Token kind = column < scanner->n_columns ? scanner->columns[column] : FREE_CELL;
  bool input = kind == ROW_NAME_CELL || kind == FACT_CELL || kind == ALSO_CELL;
  // In `examples` no row is fixed: there the first column is free text, or no column has a row's name.
  if (column == 0 && input && is_fixed(lexer)) kind = FIXED_CELL;
  return emit(lexer, kind);
}

// Free text, to the bar that ends its cell.
static bool scan_example_name(TSLexer *lexer) {
  while (!ends_line(lexer) && lexer->lookahead != '|') {
    bool blank = is_blank(lexer->lookahead);
    bool escapes = lexer->lookahead == '\\';
    advance(lexer);
    if (escapes && !ends_line(lexer)) advance(lexer);
    if (!blank) lexer->mark_end(lexer);
  }
  return emit(lexer, EXAMPLE_NAME);
}

// The text of a reason, to the end of the line or to its comment. In quotes `#` is a sign like any other.
static bool scan_reason_text(TSLexer *lexer) {
  bool blank = true;
  while (!ends_line(lexer) && !(blank && lexer->lookahead == '#')) {
    blank = is_blank(lexer->lookahead);
    advance(lexer);
    if (!blank) lexer->mark_end(lexer);
  }
  return emit(lexer, REASON_TEXT);
}

// Whether a block that was just opened is closed in the same line.
static bool scan_block(Scanner *scanner, TSLexer *lexer) {
  bool in_text = false;
  for (int32_t before = ' '; !ends_line(lexer); advance(lexer)) {
    int32_t c = lexer->lookahead;
    if (c == '"' && before != '\\') in_text = !in_text;
    if (!in_text && c == '#' && is_blank(before)) break;
    if (!in_text && c == '}') return emit(lexer, ONE_LINE);
    before = c;
  }
  scanner->line = BLOCK;
  return emit(lexer, MANY_LINES);
}

// Only in the line of the row: what stands in the next one is no cell of it.
static bool begins_cell(const Scanner *scanner, const bool *valid) {
  return valid[FACT_CELL] && !valid[IN_AN_ERROR] && scanner->line == ROW;
}

static bool scan(Scanner *scanner, TSLexer *lexer, const bool *valid) {
  bool in_error = valid[IN_AN_ERROR];
  bool spaced = false;
  for (; is_blank(lexer->lookahead); spaced = true) lexer->advance(lexer, true);
  lexer->mark_end(lexer);
  if (!in_error && valid[ONE_LINE]) return scan_block(scanner, lexer);
  if (lexer->lookahead == '\n') return scan_line_end(scanner, lexer, valid);
  if (lexer->eof(lexer)) return false;
  if (begins_cell(scanner, valid)) return scan_cell(scanner, lexer);
  if (!in_error && valid[EXAMPLE_NAME] && lexer->lookahead != '|') return scan_example_name(lexer);
  if (lexer->lookahead == '#') {
    bool before_colon = scanner->line == REASON && !valid[REASON_TEXT];
    // In a row a comment stands where the row may end.
    bool inside = scanner->line == ROW ? !valid[TO_ROW] : before_colon;
    return !inside && (spaced || lexer->get_column(lexer) == 0) && scan_comment(lexer);
  }
  if (!in_error && valid[REASON_TEXT]) return scan_reason_text(lexer);
  if (lexer->lookahead == '|' && !in_error) {
    for (enum Token header = TABLE_HEADER; header <= EXAMPLES_HEADER; header++) {
      if (valid[header]) return scan_header(scanner, lexer, header);
    }
    if (valid[DELIMITER_ROW]) return scan_delimiter(lexer);
  }
  return false;
}

void *tree_sitter_nisi_external_scanner_create(void) { return ts_calloc(1, sizeof(Scanner)); }

void tree_sitter_nisi_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_nisi_external_scanner_serialize(void *payload, char *buffer) {
  const Scanner *scanner = payload;
  buffer[0] = (char)scanner->line;
  buffer[1] = (char)scanner->column;
  memcpy(buffer + 2, scanner->columns, scanner->n_columns);
  return 2u + scanner->n_columns;
}

void tree_sitter_nisi_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  Scanner *scanner = payload;
  memset(scanner, 0, sizeof *scanner);
  if (length < 2) return;
  scanner->line = (uint8_t)buffer[0];
  scanner->column = (uint8_t)buffer[1];
  scanner->n_columns = (uint8_t)(length - 2);
  memcpy(scanner->columns, buffer + 2, scanner->n_columns);
}

bool tree_sitter_nisi_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  return scan(payload, lexer, valid);
}
