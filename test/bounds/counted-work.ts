import { Session, type Profiler } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

const OPTIMIZERS = ['turbofan', 'maglev', 'sparkplug'];

/** Returns how many blocks of the project's code are executed: as exact on a busy machine as on an idle one. */
export function countedWork(run: () => unknown): number {
  // Optimized code does not count.
  for (const name of OPTIMIZERS) setFlagsFromString(`--no-${name}`);
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  try {
    // V8 creates the counters of a function when it compiles it, so only the second run is counted whole.
    run();
    session.post('Profiler.takePreciseCoverage');
    run();
    let blocks = 0;
    session.post('Profiler.takePreciseCoverage', (_, { result }) => {
      blocks = result.filter(({ url }) => !url.includes('node_modules')).reduce(addBlocks, 0);
    });
    return blocks;
  } finally {
    session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
    for (const name of OPTIMIZERS) setFlagsFromString(`--${name}`);
  }
}

function addBlocks(sum: number, { functions }: Profiler.ScriptCoverage): number {
  return functions.flatMap(({ ranges }) => ranges).reduce((blocks, { count }) => blocks + count, sum);
}
