/**
 * Tests the counting of work, on which the tests of bounds rely.
 *
 * @counts-work
 */
import { countedWork } from './counted-work';

test('a loop counts in proportion to its rounds', () => {
  const rounds = (count: number) => () => {
    let sum = 0;
    for (let index = 0; index < count; index++) sum += index;
    return sum;
  };
  const [one, two, three] = [1_000, 2_000, 3_000].map((count) => countedWork(rounds(count))) as [
    number,
    number,
    number,
  ];
  expect(two - one).toBe(1_000);
  expect(three - two).toBe(1_000);
});

test.each<readonly [name: string, run: (text: string) => unknown]>([
  ['a search in a text', (text) => text.includes('b')],
  ['a replacement', (text) => text.replaceAll('b', 'c')],
  ['Array.slice', (text) => Array(text.length).slice()],
  ['a spread array', (text) => [...Array<undefined>(text.length)]],
  ['a spread object', (text) => ({ ...Array<undefined>(text.length) })],
  ['an argument list', (text) => Math.max(...Array<number>(text.length))],
  ['Map', (text) => new Map(Array<[number, number]>(text.length).fill([0, 0]))],
  ['Set', (text) => new Set(Array(text.length))],
  ['a regular expression', (text) => /b/.test(text)],
  ['a replaced expression', (text) => text.replace(/b/g, 'c')],
  ['Buffer.concat', (text) => Buffer.concat([Buffer.alloc(text.length)])],
  ['BigInt', (text) => BigInt(text.replaceAll('a', '9'))],
  ['JSON.parse', (text) => JSON.parse(`"${text}"`) as unknown],
])('the work includes the length that %s processes', (_, run) => {
  const [short, long] = ['a', 'a'.repeat(16_000)].map((text) => countedWork(() => run(text))) as [
    number,
    number,
  ];
  expect(long - short).toBeGreaterThanOrEqual(999);
});

test('counting leaves the built-in functions unchanged', () => {
  const builtIns = () =>
    [String.prototype, Array.prototype, RegExp.prototype, Buffer, Buffer.prototype, globalThis, JSON]
      .flatMap((owner) => Object.entries(Object.getOwnPropertyDescriptors(owner)))
      .map(([name, descriptor]) => ({ name, value: descriptor.value as unknown }));
  const before = builtIns();
  countedWork(() => undefined);
  const changed = builtIns().filter(({ value }, index) => !Object.is(value, before[index]?.value));
  expect(changed.map(({ name }) => name)).toEqual([]);
});

test('each kind of function and loop is counted', () => {
  class Kinds {
    readonly field = this.method();
    constructor(readonly of: readonly number[]) {}
    method(): number {
      return 1;
    }
    get value(): number {
      return 2;
    }
    *all(): Generator<number> {
      for (const each of this.of) yield each;
    }
  }
  const kinds = new Kinds([1, 2, 3]);
  const works = [
    () => new Kinds([]),
    () => kinds.method(),
    () => kinds.value,
    () => kinds.all().next(),
    () => [1, 2, 3].map((each) => each),
    () => {
      let left = 3;
      do left--;
      while (left > 0);
      while (left < 3) left++;
      for (const name in { a: 1, b: 2 }) left -= name.length;
    },
  ];
  expect(works.map(countedWork)).toEqual([3, 2, 2, 3, 4, 9]);
});
