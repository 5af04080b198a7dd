/** Calls a function in a process of {@link inProcesses}, with each task that it receives. */
import { createRequire } from 'node:module';

const [module, name] = process.argv.slice(2);
const { [name]: call } = createRequire(import.meta.url)(module);
process.on('message', async ({ task }) => {
  // The process ends if the function waits for something that cannot happen any more.
  process.channel.unref();
  const result = await call(task);
  process.channel.ref();
  process.send({ result });
});
process.on('disconnect', () => process.exit());
