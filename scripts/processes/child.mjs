/** A process of {@link inProcesses}. */
import { createRequire } from 'node:module';

const [module, name] = process.argv.slice(2);
const { [name]: call } = createRequire(import.meta.url)(module);
process.on('message', ({ task }) => process.send({ result: call(task) }));
