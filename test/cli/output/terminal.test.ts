import {
  filterOutput,
  printContent,
  printJson,
  printLines,
  printWrapped,
} from '../../../src/cli/output/print';
import { showControlCharacters, styleFor } from '../../../src/cli/output/style';

/** Returns what a stream receives for a text. */
function written(text: string | Uint8Array): unknown {
  const chunks: unknown[] = [];
  const stream = { write: (chunk: unknown) => chunks.push(chunk) > 0 };
  showControlCharacters(stream);
  (stream as unknown as NodeJS.WriteStream).write(text);
  return chunks[0];
}

test.each([
  ['an escape sequence', 'a\u001b[2Jb', 'a\\u001b[2Jb'],
  ['a title', '\u001b]0;pwned\u0007', '\\u001b]0;pwned\\u0007'],
  ['a link', '\u001b]8;;http://evil.example\u001b\\x', '\\u001b]8;;http://evil.example\\u001b\\x'],
  ['hidden text', '\u001b[8mx', '\\u001b[8mx'],
  ['a line that is written over', 'bad\rgood', 'bad\\rgood'],
  ['C1, and text from right to left', '\u009b2J\u202e', '\\u009b2J\\u202e'],
])('%s is printed as an escape, and not sent to the terminal', (_, text, shown) => {
  expect(written(text)).toBe(shown);
});

test('styles of the command line, line breaks and bytes are not escaped', () => {
  const { good, bad, doubtful, strong, faint } = styleFor({}, { FORCE_COLOR: '1' });
  expect(written(`${good('a')}${bad('b')}${doubtful('c')}${strong('d')}${faint('e')}\n\t`)).toBe(
    '\u001b[32ma\u001b[39m\u001b[31mb\u001b[39m\u001b[33mc\u001b[39m\u001b[1md\u001b[22m\u001b[2me\u001b[22m\n\t',
  );
  expect(written(Buffer.from('\u001b'))).toEqual(Buffer.from('\u001b'));
});

test('control sequences of the command line are escaped if they are within a text', () => {
  const { bad } = styleFor({}, { FORCE_COLOR: '1' });
  expect(written(bad('\r\u001b[Kall is \u001b[32mwell'))).toBe(
    '\u001b[31m\\r\\u001b[Kall is \\u001b[32mwell\u001b[39m',
  );
});

test('a line stays one line, whatever it contains', () => {
  const chunks: unknown[] = [];
  printLines({ write: (chunk) => chunks.push(chunk) }, ['a\n! b', '\tc\r\n']);
  expect(chunks).toEqual(['a\\n! b\n\\tc\\r\\n\n']);
});

test('the content of a file is escaped only on a terminal', () => {
  const text = '# \u202e\n';
  const content = (isTTY: boolean) => {
    const chunks: (string | Uint8Array)[] = [];
    printContent({ isTTY, write: (chunk) => chunks.push(chunk) }, text);
    return written(chunks[0]!);
  };
  expect(content(false)).toEqual(Buffer.from(text));
  expect(content(true)).toBe('# \\u202e\n');
});

test('JSON keeps its values, and has no control characters', () => {
  const value = { text: '\u001b\u007f\u0085\u202e\u{e0041}\n' };
  const text = written(JSON.stringify(value)) as string;
  expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(text)).toEqual(value);
});

test('a line that is too long is cut, after secrets are hidden and before control characters are escaped', () => {
  const chunks: unknown[] = [];
  printLines({ write: (chunk) => chunks.push(chunk) }, [
    `${'x'.repeat(16_383)}\n${'y'.repeat(999_999)}`,
    'b',
  ]);
  expect(chunks).toEqual([`${'x'.repeat(16_383)}\\n… (999999 more characters)\nb\n`]);
});

test('a secret in a line that is too long is hidden also where it is cut', () => {
  const chunks: unknown[] = [];
  filterOutput((text) => text.replaceAll('canary-token', '(hidden)'));
  printLines({ write: (chunk) => chunks.push(chunk) }, [`${'x'.repeat(16_380)}canary-token`]);
  filterOutput((text) => text);
  expect(chunks).toEqual([`${'x'.repeat(16_380)}(hid… (4 more characters)\n`]);
});

describe('long lines', () => {
  const printed = (lines: readonly string[], terminal: { isTTY?: boolean; columns?: number }) => {
    const chunks: unknown[] = [];
    printWrapped({ write: (chunk) => chunks.push(chunk), ...terminal }, lines);
    return chunks.join('').split('\n').slice(0, -1);
  };
  const LINE = '  secondary eu of set 1: connected, paths filter: deny us-only/, legal/';

  test('long lines are broken between words on a terminal, and their rest is indented', () => {
    expect(printed([LINE, 'short'], { isTTY: true, columns: 30 })).toEqual([
      '  secondary eu of set 1:',
      '    connected, paths filter:',
      '    deny us-only/, legal/',
      'short',
    ]);
  });

  test('long lines stay unchanged in files, if they fit, and if a word is too long', () => {
    expect(printed([LINE], { columns: 30 })).toEqual([LINE]);
    expect(printed([LINE], { isTTY: true })).toEqual([LINE]);
    expect(printed([LINE], { isTTY: true, columns: LINE.length })).toEqual([LINE]);
    const long = 'x'.repeat(50);
    expect(printed([long], { isTTY: true, columns: 30 })).toEqual([long]);
  });

  test('long lines are measured without their style, and line breaks within a text are escaped', () => {
    const { bad } = styleFor({}, { FORCE_COLOR: '1' });
    expect(printed([bad('a'.repeat(28))], { isTTY: true, columns: 30 })).toHaveLength(1);
    expect(printed(['a\nall is well'], { isTTY: true, columns: 30 })).toEqual(['a\\nall is well']);
  });
});

test('JSON is one line for programs and in a series, and indented on a terminal', () => {
  const printed = (isTTY: boolean, isSeries?: boolean) => {
    const chunks: unknown[] = [];
    printJson({ isTTY, write: (chunk) => chunks.push(chunk) }, { a: ['b'] }, isSeries);
    return chunks.join('');
  };
  expect(printed(false)).toBe('{"a":["b"]}\n');
  expect(printed(true, true)).toBe('{"a":["b"]}\n');
  expect(printed(true)).toBe('{\n  "a": [\n    "b"\n  ]\n}\n');
});
