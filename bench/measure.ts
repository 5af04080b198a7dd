import { readFileSync } from 'node:fs';

/** A command or function to measure. `prepare` is not part of the measurement. */
export interface Contender {
  readonly name: string;
  prepare?(): Promise<void>;
  /**
   * Runs once.
   *
   * @returns the milliseconds to count in place of the duration of the run, if any.
   */
  run(): Promise<number | void>;
}

/** The median time of each contender, in milliseconds. */
export type Medians = Readonly<Record<string, number>>;

/**
 * Times the contenders in turn, round after round, so that other load on the machine affects all of
 * them.
 */
export async function race(rounds: number, contenders: readonly Contender[]): Promise<Medians> {
  const times: Record<string, number[]> = Object.fromEntries(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of contenders) {
      await contender.prepare?.();
      const started = performance.now();
      const own = await contender.run();
      times[contender.name]?.push(own ?? performance.now() - started);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

const CLOCK_TICKS_PER_SECOND = 100;

/**
 * Returns the computing time of all ended child processes, in milliseconds. NaN on systems without
 * /proc.
 */
export function computingOfChildren(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
    const [user, system] = [Number(fields[13]), Number(fields[14])];
    return ((user + system) * 1_000) / CLOCK_TICKS_PER_SECOND;
  } catch {
    return NaN;
  }
}
