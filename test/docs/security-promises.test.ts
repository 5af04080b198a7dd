import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** A guard that `npm run promises` removes from the source, and the tests that must fail then. */
interface Guard {
  readonly promise: number;
  readonly file: string;
  readonly guard: string;
  readonly without: string;
  readonly test: string;
  /**
   * Parts of the titles of the tests that fail, with "|" between them. Default: all tests of the
   * file.
   */
  readonly title?: string;
}
const guards = JSON.parse(read('scripts/promises/guards.json')) as readonly Guard[];

/** The promises of both pages, in order. Each is a list item that begins with its number. */
const promises = ['SECURITY.md', 'docs/security.md'].flatMap((page) =>
  Array.from(read(page).matchAll(/^- \*\*P(\d+)\*\* ((?:.*\n)(?: {2}.*\n)*)/gm), ([, number, text = '']) => ({
    number: Number(number),
    tests: new Set(Array.from(text.matchAll(/`(test\/[^`]+)`/g), ([, file]) => file)),
  })),
);

test('the promises are numbered without gaps, from one page to the other', () => {
  expect(promises.map(({ number }) => number)).toEqual(promises.map((_, index) => index + 1));
  expect(promises.length).toBeGreaterThan(40);
});

test.each(promises)(
  'P$number names the tests that fail without its guards, and no others',
  ({ number, tests }) => {
    const failing = new Set(guards.filter(({ promise }) => promise === number).map(({ test }) => test));
    expect([...tests].sort()).toEqual([...failing].sort());
    expect([...tests].filter((file) => !existsSync(join(ROOT, file!)))).toEqual([]);
  },
);

test('each guard belongs to a promise, and occurs once in its file', () => {
  const numbers = promises.map(({ number }) => number);
  expect(guards.filter(({ promise }) => !numbers.includes(promise))).toEqual([]);
  const misfits = guards.filter(({ file, guard }) => read(file).split(guard).length !== 2);
  expect(misfits).toEqual([]);
  expect(guards.filter(({ guard, without }) => guard === without)).toEqual([]);
});

test('the titles of guards are those of tests', () => {
  const unknown = guards.filter(({ test, title = '' }) => {
    const text = read(test);
    return title.split('|').some((part) => !text.includes(part));
  });
  expect(unknown.map(({ test, title }) => `${test}: ${title}`)).toEqual([]);
});
