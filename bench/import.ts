import { spawn } from 'node:child_process';
import { race, type Medians } from './measure';

const CONSTRUCTS = require.resolve('../constructs');

/** Measures a program that imports the constructs, against one that imports the framework alone. */
export async function raceImport(rounds: number): Promise<Medians> {
  return race(rounds, [
    { name: 'the constructs', run: () => untilImported(CONSTRUCTS) },
    { name: 'cdktf alone', run: () => untilImported(require.resolve('cdktf')) },
  ]);
}

function untilImported(file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, ['-e', `require(${JSON.stringify(file)})`], { stdio: 'inherit' })
      .once('error', reject)
      .once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${file} cannot be imported`))));
  });
}
