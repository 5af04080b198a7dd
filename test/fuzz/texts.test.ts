import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { quoted } from '../../src/cli/adopt/app/code';
import { printJson, printLines } from '../../src/cli/output/print';
import { showControlCharacters } from '../../src/cli/output/style';
import { Diagnostics } from '../../src/plugin';
import { diagnosticMessages } from '../../src/plugin/server/diagnostics';
import { logLine } from '../../src/plugin/wire/log';
import { literalForTerraform, Redactor, visible, visibleLines } from '../../src/text';
import { fuzz } from './support/fuzz';
import { hostileTexts, INVISIBLE } from './support/hostile';

/** Returns the text that a terminal receives. */
function terminal(print: (output: { write(chunk: string | Uint8Array): boolean }) => void): string {
  const chunks: string[] = [];
  const stream = { write: (chunk: string | Uint8Array) => chunks.push(String(chunk)) > 0 };
  showControlCharacters(stream);
  print(stream);
  return chunks.join('');
}

/**
 * By name, the functions that write a text for a person, each with the maximum number of lines that
 * it writes; `undefined` for the number of lines in the text.
 */
const WAYS: Readonly<Record<string, readonly [way: (text: string) => string, lines: number | undefined]>> = {
  'a line': [visible, 1],
  lines: [visibleLines, undefined],
  'a line of the command line': [(text) => terminal((output) => printLines(output, [text])).slice(0, -1), 1],
  'JSON of the command line': [
    (text) => terminal((output) => printJson(output, { [text]: [text] })).slice(0, -1),
    1,
  ],
  'a direct write to the stream': [(text) => terminal((output) => output.write(text)), undefined],
  'a diagnostic': [
    (text) => {
      const diagnostics = new Diagnostics();
      diagnostics.error('summary', text);
      return diagnosticMessages(diagnostics.list, new Redactor())[0]!.detail;
    },
    undefined,
  ],
  'a line of the log': [
    (text) =>
      logLine('warn', text, { text, deep: [{ text }], error: new Error(text) }, new Redactor(), new Date(0)),
    1,
  ],
};

fuzz('no text controls a terminal, or adds lines where one line is expected', {
  inputs: hostileTexts,
  subject: (way: (text: string) => string, text: string) => way(text),
  // The planted fault: it recognizes escape sequences, and no other characters that control a
  // terminal.
  planted: (_way: (text: string) => string, text: string) => text.replace(/\p{Cc}/gu, '?'),
  check: (show, text) => {
    for (const [name, [way, lines]] of Object.entries(WAYS)) {
      const shown = show(way, text);
      expect({ name, invisible: INVISIBLE.exec(shown)?.[0] }).toEqual({ name, invisible: undefined });
      if (lines === 1) expect({ name, lines: shown.split('\n').length }).toEqual({ name, lines });
    }
  },
});

const values = fc
  .array(
    fc.oneof(
      hostileTexts,
      fc.constantFrom(
        '${',
        '%{',
        '#{',
        '&{',
        '$',
        '%',
        'TfToken[',
        'TOKEN.0]}',
        '}',
        "'",
        '"',
        '\\',
        '`',
        '*/',
        '//',
        '\u2028',
        '</script>',
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join('').toString());

/** Returns the text that Terraform reads from a text in a JSON configuration. */
function readByTerraform(text: string): string {
  return text.replace(/\$\$\{|%%\{|\$\{"([$&#%{]+)"\}|[$%]\{/g, (found, inner: string | undefined) => {
    if (inner !== undefined) return inner;
    if (found.length === 3) return found.slice(1);
    throw new Error(`${found} in ${text} is an expression`);
  });
}

fuzz(
  'the code of an adopted app has the text of the server as a literal for TypeScript, the framework and Terraform',
  {
    inputs: values,
    subject: (text: string) => quoted(literalForTerraform(text)),
    planted: (text: string) => quoted(text.replaceAll('${', '$${')),
    check: (write, text) => {
      const code = write(text);
      expect(code).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      const value = runInNewContext(code) as string;
      expect(value).not.toMatch(/[$#&]\{TfToken\[/);
      expect(readByTerraform(value)).toBe(text);
    },
  },
);
