/**
 * Measures the work of each function on inputs whose size is doubled repeatedly.
 *
 * @counts-work
 */
import { WITHOUT_LEVELS } from './levels';
import { LIMITS } from './limits';
import { type Bound, outcomeOf, SIZE_OF } from './rows';
import { ROWS } from './table';

/**
 * The factor by which the measured work may exceed the growth of its row. Work with indexes and
 * sorting grows slightly faster than the size.
 */
const LEEWAY = 1.25;

test.each(ROWS.map((row) => [row.name, row] as const))(
  'the work of %s grows no faster than its row says',
  async (_name, { sizes: [first, last], growth, work }) => {
    // The first run also loads code and creates objects that later runs use again.
    await work(first);
    let before = await work(first);
    for (let size = 2 * first; size <= last; size *= 2) {
      const now = await work(size);
      expect(now / before).toBeLessThan(2 ** growth * LEEWAY);
      before = now;
    }
  },
);

test('a row whose work grows faster than the size of its input gives the reason and the bound', () => {
  const missing = ROWS.filter(({ growth, reason }) => growth > 1 && reason === undefined);
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('each limit of LIMITS is used by a row, and each row uses one of them', () => {
  const used = new Set(ROWS.map(({ size, source }) => size ?? SIZE_OF[source]));
  expect([...used].sort()).toEqual(Object.keys(LIMITS).sort());
});

test('a row whose work grows faster than the size of its input names a limit of its own', () => {
  const rows = ROWS.filter(({ growth, size }) => growth > 1 && size === undefined);
  expect(rows.map(({ name }) => name)).toEqual([]);
});

test('a row with nested input gives the number of levels that its function accepts', () => {
  expect(
    ROWS.filter(({ nested, deepest }) => nested && deepest === undefined).map(({ name }) => name),
  ).toEqual([]);
});

test('each function has a row with nested input, or a reason to have none', () => {
  const functionOf = ({ name }: Bound) => /^[\w.]+/.exec(name)![0];
  const names = new Set(ROWS.map(functionOf));
  const probed = new Set(ROWS.filter(({ nested }) => nested).map(functionOf));
  const flat = Object.values(WITHOUT_LEVELS).flat();
  expect([...names].filter((name) => !probed.has(name) && !flat.includes(name))).toEqual([]);
  expect(flat.filter((name) => probed.has(name) || !names.has(name))).toEqual([]);
});

const WITH_LEVELS = ROWS.flatMap(({ name, nested, deepest }) =>
  nested && deepest !== undefined && deepest < Infinity ? [[name, deepest, nested] as const] : [],
);

test.each(WITH_LEVELS)('%s accepts %d levels, and refuses one more', (_name, deepest, nested) => {
  expect(outcomeOf(() => nested(deepest))).not.toBeInstanceOf(Error);
  expect(outcomeOf(() => nested(deepest + 1))).toBeInstanceOf(Error);
});

/** The number of levels exceeds every stack. */
const LEVELS = 50_000;

test.each(ROWS.flatMap(({ name, nested }) => (nested ? [[name, nested] as const] : [])))(
  'the function %s does not exhaust the stack on deeply nested values',
  (_name, nested) => {
    expect(() => outcomeOf(() => nested(LEVELS))).not.toThrow();
  },
);
