/**
 * Runs commands one after another in one process, each as `main.js` would run it in its own
 * process. Starting Node and loading the code takes longer than most commands do.
 */
const { Buffer } = require('node:buffer');
const { join } = require('node:path');
const { filterOutput } = require('../../../lib/src/cli/output/print.js');

const MAIN = join(__dirname, '..', '..', '..', 'lib', 'src', 'cli', 'main.js');
const STREAMS = ['stdout', 'stderr'];
/** The objects to which a command may add listeners. */
const EMITTERS = [process, ...STREAMS.map((name) => process[name])];

async function run({ args, env, cwd }) {
  const printed = { stdout: [], stderr: [] };
  const listeners = EMITTERS.map((emitter) =>
    emitter.eventNames().map((name) => [name, emitter.listeners(name)]),
  );
  const writers = STREAMS.map((name) => process[name].write);
  for (const name of STREAMS) {
    process[name].write = (chunk, ...rest) => {
      printed[name].push(Buffer.from(chunk));
      rest.find((each) => typeof each === 'function')?.();
      return true;
    };
  }
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, MAIN, ...args];
  process.exitCode = undefined;
  delete require.cache[MAIN];
  filterOutput((text) => text);
  await require(MAIN).ENDED;

  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  STREAMS.forEach((name, index) => (process[name].write = writers[index]));
  EMITTERS.forEach((emitter, index) => {
    const before = new Map(listeners[index]);
    for (const name of emitter.eventNames()) {
      for (const listener of emitter.listeners(name)) {
        if (!before.get(name)?.includes(listener)) emitter.off(name, listener);
      }
    }
  });
  const [stdout, stderr] = STREAMS.map((name) => Buffer.concat(printed[name]).toString());
  return { code, stdout, stderr };
}

let last = Promise.resolve();
process.on('message', ({ id, command }) => {
  last = last.then(async () => process.send({ id, ended: await run(command) }));
});
