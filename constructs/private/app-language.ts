import { PYTHON, renderPhrase, TYPESCRIPT, type Notation, type Phrase } from '../../src/model/messages';

/** How an author of the app writes the things that a message refers to. */
export function appNotation(): Notation {
  return /^Python\b/.test(process.env.JSII_AGENT ?? '') ? PYTHON : TYPESCRIPT;
}

/** Returns a text for an author of the app. */
export function inAppLanguage(text: Phrase): string {
  return renderPhrase(text, appNotation());
}

/** Whether the app is in another language than JavaScript or TypeScript. */
export function isForeignApp(): boolean {
  // The runtime of jsii, which runs this for programs in other languages, says so.
  return (process.env.JSII_AGENT ?? '') !== '';
}

/** An error with a text for an author of the app. */
export function appError(text: Phrase): Error {
  const error = new Error(inAppLanguage(text));
  // Where a method throws it, this is the message that the runtime of jsii hands to the app.
  if (isForeignApp()) error.toString = () => error.message;
  return error;
}
