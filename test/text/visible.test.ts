import { visible, visibleLines } from '../../src/text';

test.each([
  ['an escape sequence', '\u001b[32mgood\u001b[0m', '\\u001b[32mgood\\u001b[0m'],
  ['an operating system command', '\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
  ['its C1 forms', '\u009b2J\u009d0;t\u009c', '\\u009b2J\\u009d0;t\\u009c'],
  ['line breaks', 'a\r\nb\u0085c\u2028d\u2029e', 'a\\r\\nb\\u0085c\\u2028d\\u2029e'],
  ['tabs, back spaces, delete, null', 'a\tb\bc\u007fd\0', 'a\\tb\\u0008c\\u007fd\\u0000'],
  ['text from right to left', 'user\u202etxt\u2066x\u200f', 'user\\u202etxt\\u2066x\\u200f'],
  ['characters without width', 'a\u200bb\ufeffc\u00add', 'a\\u200bb\\ufeffc\\u00add'],
  ['fillers', 'a\u3164b\uffa0c\u115fd\u17b4', 'a\\u3164b\\uffa0c\\u115fd\\u17b4'],
  ['joiners and selectors', 'a\u034fb\ufe0fc\u{e0100}', 'a\\u034fb\\ufe0fc\\udb40\\udd00'],
  ['tags', 'a\u{e0041}', 'a\\udb40\\udc41'],
  ['half a character', 'a\ud800b', 'a\\ud800b'],
])('a character is shown as an escape: %s', (_, text, shown) => {
  expect(visible(text)).toBe(shown);
});

test('visible characters stay', () => {
  const text = 'grün, 漢字, 😀, "quoted" \\n {{identity}} \u00a0';
  expect(visible(text)).toBe(text);
});

test('a text of several lines keeps its line breaks and tabs', () => {
  expect(visibleLines('one\n\ttwo\r\nthree\u001b[2J\u2028')).toBe('one\n\ttwo\\r\nthree\\u001b[2J\\u2028');
});
