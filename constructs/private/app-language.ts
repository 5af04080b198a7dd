import { PYTHON, renderPhrase, TYPESCRIPT, type Notation, type Phrase } from '../../src/model/messages';
import { traceApp } from './code-place';

/** Returns the notation for messages to the author of the app: that of the app's language. */
export function appNotation(): Notation {
  return /^Python\b/.test(process.env.JSII_AGENT ?? '') ? PYTHON : TYPESCRIPT;
}

/** Returns a text for an author of the app. */
export function inAppLanguage(text: Phrase): string {
  return renderPhrase(text, appNotation());
}

/** Returns the code with which an author of the app names a file beside its code. */
export function folderOfApp(): string {
  return appNotation() === PYTHON ? 'pathlib.Path(__file__).parent' : 'join(__dirname, …)';
}

/** Whether the app is in another language than JavaScript or TypeScript. */
export function isForeignApp(): boolean {
  // The runtime of jsii sets this variable. It runs this code for programs in other languages.
  return (process.env.JSII_AGENT ?? '') !== '';
}

/**
 * An error with a text for an author of the app. Its trace has only lines of the app's code.
 *
 * @param trace an error that was created at the place to report. Default: the place of this call.
 */
export function appError(text: Phrase, trace?: Error): Error {
  const error = new Error(inAppLanguage(text));
  traceApp(error, trace);
  // If a method throws the error, the runtime of jsii passes the result of `toString` to the app.
  if (isForeignApp()) error.toString = () => error.message;
  return error;
}
