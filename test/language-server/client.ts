import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import type {
  CodeAction,
  CompletionItem,
  Diagnostic,
  Hover,
  Position,
  PublishDiagnosticsParams,
  TextEdit,
} from 'vscode-languageserver-protocol';
import { TextDocument } from 'vscode-languageserver-textdocument';

const MAIN = join(__dirname, '../../lib/src/cli/main.js');

const COMMAND = ['policy', 'language-server', '--stdio'];

/** An editor without a screen, which starts the language server and sends requests to it. */
export class Editor {
  readonly #documents = new Map<string, TextDocument>();
  readonly #published: PublishDiagnosticsParams[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #exited: Promise<unknown>;

  private constructor(
    readonly server: ReturnType<typeof start>,
    readonly connection: MessageConnection,
  ) {
    this.#exited = once(server, 'exit');
    connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      this.#published.push(params);
      this.#waiting.splice(0).forEach((wake) => wake());
    });
    connection.listen();
  }

  /** @param words the words of the command */
  static async start(words: readonly string[] = COMMAND): Promise<Editor> {
    const server = start(words);
    const editor = new Editor(
      server,
      createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin)),
    );
    await editor.connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} });
    await editor.connection.sendNotification('initialized', {});
    return editor;
  }

  /** Opens a document, and returns its diagnostics. */
  async open(uri: string, text: string, languageId = 'hcl'): Promise<readonly Diagnostic[]> {
    this.#documents.set(uri, TextDocument.create(uri, languageId, 1, text));
    const textDocument = { uri, languageId, version: 1, text };
    await this.connection.sendNotification('textDocument/didOpen', { textDocument });
    return this.#diagnostics(uri, 1);
  }

  /** Replaces the text of a document, and returns its diagnostics. */
  async change(uri: string, text: string): Promise<readonly Diagnostic[]> {
    const { languageId, version } = this.#documents.get(uri)!;
    const next = version + 1;
    this.#documents.set(uri, TextDocument.create(uri, languageId, next, text));
    const textDocument = { uri, version: next };
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument,
      contentChanges: [{ text }],
    });
    return this.#diagnostics(uri, next);
  }

  close(uri: string): Promise<void> {
    return this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  hover(uri: string, position: Position): Promise<Hover | null> {
    return this.connection.sendRequest('textDocument/hover', { textDocument: { uri }, position });
  }

  complete(uri: string, position: Position): Promise<readonly CompletionItem[] | null> {
    return this.connection.sendRequest('textDocument/completion', { textDocument: { uri }, position });
  }

  /** Returns the quick fixes for the whole document. */
  fixes(uri: string): Promise<readonly CodeAction[]> {
    const range = { start: { line: 0, character: 0 }, end: { line: 1e6, character: 0 } };
    return this.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri },
      range,
      context: { diagnostics: [] },
    });
  }

  format(uri: string): Promise<readonly TextEdit[]> {
    const options = { tabSize: 2, insertSpaces: true };
    return this.connection.sendRequest('textDocument/formatting', { textDocument: { uri }, options });
  }

  /** Returns the text of a document after edits. */
  edited(uri: string, edits: readonly TextEdit[]): string {
    return TextDocument.applyEdits(this.#documents.get(uri)!, [...edits]);
  }

  /** Ends the server as editors do, and returns its exit code. */
  async stop(): Promise<unknown> {
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    const [code] = (await this.#exited) as [unknown];
    this.connection.dispose();
    return code;
  }

  async #diagnostics(uri: string, version: number): Promise<readonly Diagnostic[]> {
    for (;;) {
      const found = this.#published.find((each) => each.uri === uri && each.version === version);
      if (found) return found.diagnostics;
      await new Promise<void>((wake) => this.#waiting.push(wake));
    }
  }

  /** Waits until the server has withdrawn the diagnostics of a closed document. */
  async withdrawn(uri: string): Promise<void> {
    while (!this.#published.some((each) => each.uri === uri && each.version === undefined))
      await new Promise<void>((wake) => this.#waiting.push(wake));
  }
}

function start(words: readonly string[]) {
  return spawn(process.execPath, [MAIN, ...words], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}
