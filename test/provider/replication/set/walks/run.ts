/**
 * Takes walks outside of Jest, which is several times as fast. `npm run walks` bundles this file,
 * and calls its functions in several processes.
 */
import { ProcessSession, startWatched } from './provider-process';
import { walk, type Ground, type Walked } from './walk';

const THROUGH_PROVIDER: Ground = {
  start: startWatched,
  session: (clusters) => new ProcessSession(clusters),
  isReal: true,
};

/**
 * A refusal is an error whose stack nobody reads. Without stacks, walks take a twelfth less time.
 */
Error.stackTraceLimit = 1;

export function walkInProcess(seed: number): Promise<Walked> {
  return walk(seed);
}

/** Takes a walk whose plans and applies run in the provider's executable. */
export function walkThroughProvider(seed: number): Promise<Walked> {
  return walk(seed, {}, THROUGH_PROVIDER);
}
