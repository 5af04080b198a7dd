/** Takes paths of searches with the real terraform, for `npm run explore -- --replay FILE`. */
import type { PathFile } from '../apply/main';
import { parsePath } from './path-file';
import { replayPath } from './replayed';

/**
 * Takes the path of a file, and prints its steps.
 *
 * @returns whether each step was the same as in the search
 * @throws Error for a text that is not a path of a search
 */
export async function replayText(text: string): Promise<boolean> {
  const file = parsePath(text);
  const { lines, clusters, divergence } = await replayPath(file);
  console.log([...lines, '', ...clusters].join('\n'));
  if (divergence !== undefined) console.log(`\nIt went otherwise at step ${divergence}`);
  else if (file.property !== undefined) console.log(`\nAs the search has it: ${file.property}.`);
  else console.log('\nAs the search has it.');
  return divergence === undefined;
}

/** Takes paths, and prints those with a different step. */
export async function replayAll(paths: readonly PathFile[]): Promise<boolean> {
  let same = 0;
  for (const file of paths) {
    const { divergence } = await replayPath(file);
    if (divergence === undefined) same += 1;
    else console.log(`${JSON.stringify(file)}\n  at step ${divergence}`);
  }
  console.log(`${same} of ${paths.length} paths go as the search has them`);
  return same === paths.length;
}
