/** The provider: what `start.ts` loads on Node, and what executables are compiled from. */
import { startProvider } from './start-provider';

startProvider();
