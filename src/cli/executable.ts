/** The command line as an executable without Node.js. No files of the package are beside it. */
import { SENDER_ARGUMENT, sendWithExecutable } from './policy/http/sender-command';

if (process.argv[2] === SENDER_ARGUMENT) {
  void import('./policy/http/sender-process.js');
} else {
  sendWithExecutable();
  void import('./main.js');
}
