import { outcomeOf } from './rows';
import { ROWS } from './table';

/** The factor by which work may exceed its growth: doubling an input deepens indexes and lengthens sorting. */
const LEEWAY = 1.25;

test.each(ROWS.map((row) => [row.name, row] as const))(
  'the work of %s grows no faster than its row says',
  async (_name, { sizes: [first, last], growth, work }) => {
    let before = await work(first);
    for (let size = 2 * first; size <= last; size *= 2) {
      const now = await work(size);
      expect(now / before).toBeLessThan(2 ** growth * LEEWAY);
      before = now;
    }
  },
);

test('a row that grows faster than the size says why, and what bounds it', () => {
  const missing = ROWS.filter(({ growth, reason }) => growth > 1 && reason === undefined);
  expect(missing.map(({ name }) => name)).toEqual([]);
});

/** More levels than any stack has room for. */
const LEVELS = 50_000;

test.each(ROWS.flatMap(({ name, nested }) => (nested ? [[name, nested] as const] : [])))(
  '%s of values that are nested deeply does not run out of stack',
  (_name, nested) => {
    expect(() => outcomeOf(() => nested(LEVELS))).not.toThrow();
  },
);
