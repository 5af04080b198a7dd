/** Calls a function of a module in several processes. */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** Gives Node more memory for short-lived values, so that the garbage collector runs less often. */
const YOUNG = '--max-semi-space-size=64';

/**
 * Calls a function for each task of a list, in as many processes as there are cores.
 *
 * @param module the path of a module that exports the function.
 * @param name the name of the function.
 * @param tasks the tasks, in the order in which they begin. They are sent as messages.
 * @returns a promise of the result of each task. If a process ends or the function throws, its
 *   error is printed, the other processes are ended, and all further promises are rejected.
 */
export function inProcesses(module, name, tasks) {
  const calls = tasks.map((task) => {
    const call = { task };
    call.result = new Promise((resolve, reject) => Object.assign(call, { resolve, reject }));
    // A result that is rejected before it is awaited must not end this process.
    call.result.catch(() => undefined);
    return call;
  });
  const waiting = [...calls];
  const children = calls.slice(0, availableParallelism()).map(() => start());

  function start() {
    const child = fork(join(import.meta.dirname, 'child.mjs'), [module, name], {
      serialization: 'advanced',
      execArgv: ['--enable-source-maps', YOUNG],
    });
    let current;
    const begin = () => {
      current = waiting.shift();
      if (current === undefined) child.disconnect();
      else child.send({ task: current.task });
    };
    child.on('message', ({ result }) => {
      current.resolve(result);
      begin();
    });
    child.on('exit', (code, signal) => {
      if (current !== undefined)
        fail(`${JSON.stringify(current.task)}: the process ended with ${signal ?? code}`);
    });
    begin();
    return child;
  }

  function fail(message) {
    const error = new Error(message);
    for (const { reject } of calls) reject(error);
    for (const child of children) child.kill();
  }

  return calls.map(({ result }) => result);
}
