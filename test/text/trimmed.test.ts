import { slug } from '../../src/cli/adopt/app/names';
import { normalizeFilterPath, normalizeNamespace } from '../../src/model';
import { matchesGlob, trimmed, trimmedEnd } from '../../src/text';
import { computingTime } from '../support/computing-time';

test.each([
  ['', '', ''],
  ['/', '', ''],
  ['///', '', ''],
  ['a', 'a', 'a'],
  ['/a/', 'a', '/a'],
  ['//a//b//', 'a//b', '//a//b'],
])('trimmed() removes slashes at both ends of %j, and trimmedEnd() at its end', (text, both, end) => {
  expect([trimmed(text, '/'), trimmedEnd(text, '/')]).toEqual([both, end]);
});

const MANY = 200_000;
const SLASHES = `a${'/'.repeat(MANY)}b`;

test.each<[string, () => unknown, unknown]>([
  ['slashes within a text', () => trimmed(SLASHES, '/'), SLASHES],
  ['slashes around a text', () => trimmed(SLASHES.slice(1, -1), '/'), ''],
  ['slashes in a namespace', () => normalizeNamespace(SLASHES), SLASHES],
  ['slashes in a filter', () => normalizeFilterPath(SLASHES), `${SLASHES}/`],
  ['hyphens in a name', () => slug(`a${'-'.repeat(MANY)}b`), `a${'-'.repeat(79)}`],
  ['a name that nearly fits a pattern', () => matchesGlob('*-a*b', '-a'.repeat(MANY)), false],
])('a long input is processed quickly: %s', async (_, act, result) => {
  const took = await computingTime(() => expect(act()).toBe(result));
  expect(took).toBeLessThan(10_000);
});
