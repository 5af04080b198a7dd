import { showControlCharacters } from '../../../src/cli/output/terminal';
import { styleFor } from '../../../src/cli/output/style';

/** What a stream is given when a text is written to it. */
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
])('%s is shown, not sent', (_, text, shown) => {
  expect(written(text)).toBe(shown);
});

test('colours, the line of progress, line breaks and bytes go through', () => {
  const { good, bad, doubtful, strong, faint } = styleFor({}, { FORCE_COLOR: '1' });
  const text = `${good('a')}${bad('b')}${doubtful('c')}${strong('d')}${faint('e')}\r\u001b[K\u001b[K\n\t`;
  expect(written(text)).toBe(text);
  expect(written(Buffer.from('\u001b'))).toEqual(Buffer.from('\u001b'));
});

test('JSON stays what it is', () => {
  const value = { text: '\u001b\u007f\u0085\u202e\u{e0041}\n' };
  const text = written(JSON.stringify(value)) as string;
  expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(text)).toEqual(value);
});
