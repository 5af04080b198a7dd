import { spawn } from 'node:child_process';
import { race, type Medians } from './measure';

const CONSTRUCTS = require.resolve('../constructs');

/**
 * Measures a program that imports the framework and all constructs, against one that imports the
 * framework alone. The program reads all exports, because a module is loaded only when one of its
 * names is used.
 */
export async function raceImport(rounds: number): Promise<Medians> {
  const framework = `require(${JSON.stringify(require.resolve('cdktf'))});`;
  return race(rounds, [
    {
      name: 'the constructs',
      run: () => untilEnd(`${framework} ({ ...require(${JSON.stringify(CONSTRUCTS)}) });`),
    },
    { name: 'cdktf alone', run: () => untilEnd(framework) },
  ]);
}

function untilEnd(program: string): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, ['-e', program], { stdio: 'inherit' })
      .once('error', reject)
      .once('close', (code) => (code === 0 ? resolve() : reject(new Error(`failed: ${program}`))));
  });
}
