/** The provider as an executable without Node. There are no files beside it. */
import { startProvider } from './start-provider';

startProvider();
