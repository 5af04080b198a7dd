/** The provider on Node: what `start.ts` loads. */
import { knownAnswer } from './known-answers';
import { startProvider } from './start-provider';

startProvider((path) => knownAnswer(__dirname, path));
