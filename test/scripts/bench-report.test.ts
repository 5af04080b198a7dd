import { tableOf, type Comparison } from '../../bench/report';

function lineOf(target: Comparison['target'], ours = 90): string {
  const medians = { ours, theirs: 100 };
  const comparison = { what: 'plan', medians, ours: 'ours', comparedWith: 'theirs', unit: 'ms' } as const;
  return tableOf([target ? { ...comparison, target } : comparison]).at(-1)!;
}

test('a row has both medians, their ratio, and whether it meets its target', () => {
  expect(lineOf({ max: 0.95 })).toBe('| plan | ours: 90 ms | theirs: 100 ms | 0.90 | ≤ 0.95 | met |');
  expect(lineOf({ max: 0.75 })).toBe('| plan | ours: 90 ms | theirs: 100 ms | 0.90 | ≤ 0.75 | **missed** |');
  expect(lineOf({ min: 0.95 })).toContain('**missed**');
  expect(lineOf({ beyond: 10 }, 120)).toContain('| ≤ 10 ms more | **missed** |');
  expect(lineOf(undefined)).toBe('| plan | ours: 90 ms | theirs: 100 ms | 0.90 |  |  |');
});
