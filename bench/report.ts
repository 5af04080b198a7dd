import type { Medians } from './measure';

/** A ratio of two contenders of one race, and what it should be. */
export interface Comparison {
  readonly what: string;
  readonly medians: Medians;
  readonly ours: string;
  readonly rival: string;
  readonly unit: 'ms' | 'per second';
  /** Holds when the ratio is at most (`max`) or at least (`min`) so much. Without either, it is for information. */
  readonly target?: { readonly max: number } | { readonly min: number };
}

/** Prints the comparisons as a Markdown table, ready for the README. */
export function report(comparisons: readonly Comparison[]): void {
  console.log('| what | ours | rival | ratio | target | |');
  console.log('|---|---|---|---|---|---|');
  for (const comparison of comparisons) console.log(row(comparison));
}

function row({ what, medians, ours, rival, unit, target }: Comparison): string {
  const ourValue = medians[ours] ?? NaN;
  const rivalValue = medians[rival] ?? NaN;
  const ratio = ourValue / rivalValue;
  const wanted = !target ? '' : 'max' in target ? `≤ ${target.max}` : `≥ ${target.min}`;
  const verdict = !target ? '' : holds(ratio, target) ? 'met' : '**missed**';
  const ourCell = `${ours}: ${figure(ourValue, unit)}`;
  const rivalCell = `${rival}: ${figure(rivalValue, unit)}`;
  return `| ${what} | ${ourCell} | ${rivalCell} | ${ratio.toFixed(2)} | ${wanted} | ${verdict} |`;
}

function holds(ratio: number, target: { max: number } | { min: number }): boolean {
  return 'max' in target ? ratio <= target.max : ratio >= target.min;
}

function figure(value: number, unit: Comparison['unit']): string {
  return unit === 'ms' ? `${value.toFixed(0)} ms` : `${Math.round(value)} /s`;
}
