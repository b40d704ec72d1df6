// The editor, as far as the extension and the language client use it: documents, settings, commands, messages, providers.
// What the editor computes, such as ranges and addresses, is computed here too; what people do, the test does.

const { pathToFileURL, fileURLToPath } = require('node:url');

class Disposable {
  constructor(dispose) {
    this.dispose = dispose ?? (() => {});
  }
  static from(...all) {
    return new Disposable(() => all.forEach(one => one.dispose()));
  }
}

class EventEmitter {
  listeners = new Set();
  event = (listener, self, disposables) => {
    const bound = self ? listener.bind(self) : listener;
    this.listeners.add(bound);
    const disposable = new Disposable(() => this.listeners.delete(bound));
    disposables?.push(disposable);
    return disposable;
  };
  fire(value) {
    [...this.listeners].forEach(listener => listener(value));
  }
  dispose() {
    this.listeners.clear();
  }
}

class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter().event };
  cancel() {
    this.token.isCancellationRequested = true;
  }
  dispose() {}
}

class Uri {
  constructor(scheme, path) {
    Object.assign(this, { scheme, path, authority: '', query: '', fragment: '' });
  }
  static parse(text) {
    const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):(.*)$/s.exec(text);
    return new Uri(scheme, scheme === 'file' ? fileURLToPath(text) : rest);
  }
  static file(path) {
    return new Uri('file', path);
  }
  get fsPath() {
    return this.path;
  }
  toString() {
    return this.scheme === 'file' ? pathToFileURL(this.path).href : `${this.scheme}:${this.path}`;
  }
  with(change) {
    return Object.assign(new Uri(this.scheme, this.path), change);
  }
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(start, end, endLine, endCharacter) {
    this.start = endLine === undefined ? start : new Position(start, end);
    this.end = endLine === undefined ? end : new Position(endLine, endCharacter);
  }
  get isEmpty() {
    return this.start.line === this.end.line && this.start.character === this.end.character;
  }
}

class CancellationError extends Error {}

/** Classes that only keep what they are given, by the names of their arguments. */
const data = (...names) =>
  class {
    constructor(...values) {
      names.forEach((name, i) => {
        this[name] = values[i];
      });
    }
  };

class TextEdit {
  constructor(range, newText) {
    Object.assign(this, { range, newText });
  }
  static replace(range, newText) {
    return new TextEdit(range, newText);
  }
  static insert(at, newText) {
    return new TextEdit(new Range(at, at), newText);
  }
  static delete(range) {
    return new TextEdit(range, '');
  }
}

class WorkspaceEdit {
  entriesByUri = [];
  set(uri, edits) {
    this.entriesByUri.push([uri, edits]);
  }
  entries() {
    return this.entriesByUri;
  }
}

class CodeActionKind {
  constructor(value) {
    this.value = value;
  }
  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
  contains(other) {
    return `${other.value}.`.startsWith(`${this.value}.`);
  }
}
const kinds = {
  Empty: '',
  QuickFix: 'quickfix',
  Refactor: 'refactor',
  RefactorExtract: 'refactor.extract',
  RefactorInline: 'refactor.inline',
  RefactorMove: 'refactor.move',
  RefactorRewrite: 'refactor.rewrite',
  Source: 'source',
  SourceOrganizeImports: 'source.organizeImports',
  SourceFixAll: 'source.fixAll',
  Notebook: 'notebook',
};
for (const [name, value] of Object.entries(kinds)) CodeActionKind[name] = new CodeActionKind(value);

class MarkdownString {
  constructor(value = '') {
    this.value = value;
  }
  appendMarkdown(text) {
    this.value += text;
    return this;
  }
  appendCodeblock(text, language = '') {
    this.value += `\n\`\`\`${language}\n${text}\n\`\`\`\n`;
    return this;
  }
}

const numbered = (...names) =>
  Object.fromEntries(
    names.flatMap((name, i) => [
      [name, i],
      [i, name],
    ]),
  );

/** A new editor with these settings, by their whole names. */
exports.createEditor = settings => {
  const emitters = {};
  const event = name => (emitters[name] ??= new EventEmitter()).event;
  const editor = {
    settings,
    emitters,
    commands: new Map(),
    providers: new Map(),
    messages: [],
    contexts: {},
    executed: [],
    log: [],
    documents: [],
    diagnostics: new Map(),
    choose: () => undefined,
    fire: (name, value) => (emitters[name] ??= new EventEmitter()).fire(value),
    open(uri, languageId, text) {
      const document = {
        uri,
        languageId,
        version: 1,
        fileName: uri.fsPath,
        getText: () => text,
        isClosed: false,
        isDirty: false,
        lineCount: text.split('\n').length,
      };
      editor.documents.push(document);
      api.window.activeTextEditor = { document };
      api.window.visibleTextEditors = [api.window.activeTextEditor];
      editor.fire('onDidOpenTextDocument', document);
      return document;
    },
    set(name, value) {
      settings[name] = value;
      editor.fire('onDidChangeConfiguration', {
        affectsConfiguration: section => `${name}.`.startsWith(`${section}.`),
      });
    },
  };
  const message =
    level =>
    async (text, ...rest) => {
      editor.messages.push({ level, text, choices: rest.filter(one => typeof one === 'string') });
      return editor.choose(text);
    };
  const channel = () => {
    const line = level => text => editor.log.push(`${level} ${text}`);
    const levels = Object.fromEntries(
      ['trace', 'debug', 'info', 'warn', 'error', 'append', 'appendLine', 'replace'].map(level => [level, line(level)]),
    );
    return {
      ...levels,
      name: 'nisi',
      logLevel: 3,
      onDidChangeLogLevel: event('onDidChangeLogLevel'),
      show: () => {
        editor.shown = true;
      },
      clear() {},
      hide() {},
      dispose() {},
    };
  };
  const matches = (selector, document) =>
    [selector].flat().some(one => {
      const { language, scheme, pattern } = typeof one === 'string' ? { language: one } : one;
      const ending = typeof pattern === 'string' ? pattern.replace(/^\*\*\/\*/, '') : undefined;
      return (
        (!language || language === document.languageId) &&
        (!scheme || scheme === document.uri.scheme) &&
        (!ending || document.fileName.endsWith(ending))
      );
    });
  const api = {
    Disposable,
    EventEmitter,
    CancellationTokenSource,
    Uri,
    Position,
    Range,
    CancellationError,
    TextEdit,
    WorkspaceEdit,
    CodeActionKind,
    MarkdownString,
    Location: data('uri', 'range'),
    Diagnostic: data('range', 'message', 'severity'),
    DiagnosticRelatedInformation: data('location', 'message'),
    CodeLens: data('range', 'command'),
    CodeAction: data('title', 'kind'),
    CompletionItem: data('label', 'kind'),
    CompletionList: data('items', 'isIncomplete'),
    DocumentLink: data('range', 'target'),
    InlayHint: data('position', 'label', 'kind'),
    InlayHintLabelPart: data('value'),
    Hover: data('contents', 'range'),
    SymbolInformation: data('name', 'kind', 'containerName', 'location'),
    DocumentSymbol: data('name', 'detail', 'kind', 'range', 'selectionRange'),
    CallHierarchyItem: data(),
    TypeHierarchyItem: data(),
    SnippetString: data('value'),
    SelectionRange: data('range', 'parent'),
    SemanticTokensLegend: data('tokenTypes', 'tokenModifiers'),
    SemanticTokens: data('data', 'resultId'),
    SemanticTokensEdits: data('edits', 'resultId'),
    SemanticTokensEdit: data('start', 'deleteCount', 'data'),
    FoldingRange: data('start', 'end', 'kind'),
    DocumentHighlight: data('range', 'kind'),
    RelativePattern: data('base', 'pattern'),
    SignatureHelp: data(),
    SignatureInformation: data('label'),
    ParameterInformation: data('label'),
    TabInputText: data('uri'),
    TabInputTextDiff: data(),
    TabInputNotebook: data(),
    TabInputCustom: data(),
    Color: data(),
    ColorInformation: data(),
    ColorPresentation: data(),
    DiagnosticSeverity: numbered('Error', 'Warning', 'Information', 'Hint'),
    DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
    SymbolKind: numbered(
      ...'File Module Namespace Package Class Method Property Field Constructor Enum Interface Function Variable Constant String Number Boolean Array Object Key Null EnumMember Struct Event Operator TypeParameter'.split(
        ' ',
      ),
    ),
    CompletionItemKind: numbered(
      ...'Text Method Function Constructor Field Variable Class Interface Module Property Unit Value Enum Keyword Snippet Color File Reference Folder EnumMember Constant Struct Event Operator TypeParameter'.split(
        ' ',
      ),
    ),
    SymbolTag: { Deprecated: 1 },
    CompletionItemTag: { Deprecated: 1 },
    FoldingRangeKind: numbered('Comment', 'Imports', 'Region'),
    InlayHintKind: { Type: 1, Parameter: 2 },
    CompletionTriggerKind: numbered('Invoke', 'TriggerCharacter', 'TriggerForIncompleteCompletions'),
    CodeActionTriggerKind: { Invoke: 1, Automatic: 2 },
    SignatureHelpTriggerKind: { Invoke: 1, TriggerCharacter: 2, ContentChange: 3 },
    DocumentHighlightKind: numbered('Text', 'Read', 'Write'),
    NotebookCellKind: { Markup: 1, Code: 2 },
    TextDocumentSaveReason: { Manual: 1, AfterDelay: 2, FocusOut: 3 },
    ProgressLocation: { SourceControl: 1, Window: 10, Notification: 15 },
    LogLevel: numbered('Off', 'Trace', 'Debug', 'Info', 'Warning', 'Error'),
    FileType: { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 },
    InlineCompletionTriggerKind: numbered('Invoke', 'Automatic'),
    version: '1.91.0',
    env: {
      language: 'en',
      appName: 'test',
      openExternal: async uri => {
        editor.opened = uri.toString();
        return true;
      },
    },
    commands: {
      registerCommand(name, callback) {
        if (editor.commands.has(name)) throw new Error(`command '${name}' already exists`);
        editor.commands.set(name, callback);
        return new Disposable(() => editor.commands.delete(name));
      },
      async executeCommand(name, ...args) {
        if (name === 'setContext') {
          editor.contexts[args[0]] = args[1];
          return;
        }
        const known = editor.commands.get(name);
        if (known) return known(...args);
        editor.executed.push([name, ...args]);
      },
    },
    window: {
      activeTextEditor: undefined,
      visibleTextEditors: [],
      tabGroups: { all: [], activeTabGroup: { tabs: [] }, onDidChangeTabs: event('onDidChangeTabs') },
      showErrorMessage: message('error'),
      showWarningMessage: message('warning'),
      showInformationMessage: message('information'),
      createOutputChannel: channel,
      withProgress: (_, run) => run({ report() {} }, new CancellationTokenSource().token),
      onDidChangeActiveTextEditor: event('onDidChangeActiveTextEditor'),
      onDidChangeVisibleTextEditors: event('onDidChangeVisibleTextEditors'),
    },
    languages: new Proxy(
      {
        match: (selector, document) => (matches(selector, document) ? 10 : 0),
        createDiagnosticCollection: () => ({
          set: (uri, found) => editor.diagnostics.set(uri.toString(), found),
          delete: uri => editor.diagnostics.delete(uri.toString()),
          clear: () => editor.diagnostics.clear(),
          dispose: () => editor.diagnostics.clear(),
          has: uri => editor.diagnostics.has(uri.toString()),
        }),
      },
      {
        get: (own, name) =>
          own[name] ??
          ((selector, ...rest) => {
            const entry = { selector, provider: rest.find(one => typeof one === 'object') ?? selector };
            editor.providers.set(name, [...(editor.providers.get(name) ?? []), entry]);
            return new Disposable(() =>
              editor.providers.set(
                name,
                editor.providers.get(name).filter(one => one !== entry),
              ),
            );
          }),
      },
    ),
    workspace: new Proxy(
      {
        workspaceFolders: undefined,
        notebookDocuments: [],
        fs: { isWritableFileSystem: () => true },
        get textDocuments() {
          return editor.documents;
        },
        getConfiguration: (section, scope) => {
          const key = name => (section ? `${section}.${name}` : name);
          return {
            get: (name, other) => settings[key(name)] ?? other,
            has: name => key(name) in settings,
            inspect: () => undefined,
          };
        },
        getWorkspaceFolder: () => undefined,
        applyEdit: async () => true,
        createFileSystemWatcher: () => ({
          onDidCreate: event('c'),
          onDidChange: event('d'),
          onDidDelete: event('e'),
          dispose() {},
        }),
        registerTextDocumentContentProvider: () => new Disposable(),
      },
      { get: (own, name) => own[name] ?? (String(name).startsWith('on') ? event(name) : undefined) },
    ),
  };
  editor.api = api;
  return editor;
};
