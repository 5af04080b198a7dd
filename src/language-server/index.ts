import { PassThrough } from 'node:stream';
import {
  CodeActionKind,
  createConnection,
  TextDocuments,
  TextDocumentSyncKind,
  type Connection,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { completionsAt } from './completion';
import { diagnosticsOf } from './diagnostics';
import { quickFixes } from './fixes';
import { formattingOf } from './formatting';
import { hoverAt } from './hover';

/**
 * The pause between a change and the examination of the document, in milliseconds. While somebody
 * types, only the last text is examined.
 */
const PAUSE = 100;

/** Serves the Language Server Protocol over standard input and output. */
export function serveOverStdio(): void {
  // The command line escapes control characters in texts that are written to its output, which
  // would break the headers of the protocol. Bytes are not changed.
  const output = new PassThrough();
  output.pipe(process.stdout);
  serve(createConnection(process.stdin, output));
}

function serve(connection: Connection): void {
  const documents = new TextDocuments(TextDocument);
  const pending = new Map<string, NodeJS.Timeout>();

  const forget = (uri: string) => {
    clearTimeout(pending.get(uri));
    pending.delete(uri);
  };
  const examine = (uri: string) => {
    forget(uri);
    const document = documents.get(uri);
    if (!document) return;
    void connection.sendDiagnostics({
      uri,
      version: document.version,
      diagnostics: [...diagnosticsOf(document)],
    });
  };

  connection.onInitialize(() => ({
    serverInfo: { name: 'vault-admin' },
    capabilities: {
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
      hoverProvider: true,
      completionProvider: { triggerCharacters: ['"', '/', '.'] },
      codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
      documentFormattingProvider: true,
    },
  }));
  documents.onDidChangeContent(({ document: { uri } }) => {
    forget(uri);
    pending.set(
      uri,
      setTimeout(() => examine(uri), PAUSE),
    );
  });
  documents.onDidClose(({ document: { uri } }) => {
    forget(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  });
  connection.onHover(({ textDocument, position }) => {
    const document = documents.get(textDocument.uri);
    return document && hoverAt(document, document.offsetAt(position));
  });
  connection.onCompletion(({ textDocument, position }) => {
    const document = documents.get(textDocument.uri);
    return document && [...completionsAt(document, document.offsetAt(position))];
  });
  connection.onCodeAction(({ textDocument, range }) => {
    const document = documents.get(textDocument.uri);
    return document && [...quickFixes(document, range)];
  });
  connection.onDocumentFormatting(({ textDocument }) => {
    const document = documents.get(textDocument.uri);
    return document && [...formattingOf(document)];
  });

  documents.listen(connection);
  connection.listen();
}
