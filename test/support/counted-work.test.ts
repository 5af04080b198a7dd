import { countedWork, WorkCounter } from './counted-work';

test('a loop counts in proportion to its rounds', () => {
  const rounds = (count: number) => () => {
    let sum = 0;
    for (let index = 0; index < count; index++) sum += index;
    return sum;
  };
  const counter = new WorkCounter();
  try {
    rounds(1)();
    const [one, two, three] = [1_000, 2_000, 3_000].map((count) => counter.count(rounds(count))) as [
      number,
      number,
      number,
    ];
    expect(two - one).toBeGreaterThanOrEqual(1_000);
    expect(three - two).toBe(two - one);
  } finally {
    counter.close();
  }
});

test.each<readonly [name: string, run: (text: string) => unknown]>([
  ['a search in a text', (text) => text.includes('b')],
  ['a replacement', (text) => text.replaceAll('b', 'c')],
  ['Array.slice', (text) => Array(text.length).slice()],
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
    [String.prototype, Array.prototype, globalThis, JSON]
      .flatMap((owner) => Object.entries(Object.getOwnPropertyDescriptors(owner)))
      .map(([name, descriptor]) => ({ name, value: descriptor.value as unknown }));
  const before = builtIns();
  countedWork(() => undefined);
  const changed = builtIns().filter(({ value }, index) => !Object.is(value, before[index]?.value));
  expect(changed.map(({ name }) => name)).toEqual([]);
});
