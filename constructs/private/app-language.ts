import { PYTHON, renderPhrase, TYPESCRIPT, type Notation, type Phrase } from '../../src/model/messages';
import { traceApp } from './code-place';

/**
 * Returns the notation in which an author of the app writes the things that a message refers to.
 */
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
  // The runtime of jsii, which runs this code for programs in other languages, sets the variable.
  return (process.env.JSII_AGENT ?? '') !== '';
}

/**
 * An error with a text for an author of the app. Its trace has only lines of the app's code.
 *
 * @param trace where the error comes from. Default: where it is made.
 */
export function appError(text: Phrase, trace?: Error): Error {
  const error = new Error(inAppLanguage(text));
  traceApp(error, trace);
  // The runtime of jsii passes this message to the app if a method throws the error.
  if (isForeignApp()) error.toString = () => error.message;
  return error;
}
