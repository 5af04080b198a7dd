/** Calls a function in a process of {@link inProcesses}, with each task that it receives. */
import { createRequire } from 'node:module';

const [module, name] = process.argv.slice(2);
const { [name]: call } = createRequire(import.meta.url)(module);
process.on('message', ({ task }) => process.send({ result: call(task) }));
