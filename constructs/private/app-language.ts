import { PYTHON, TYPESCRIPT, type Notation } from '../../src/model/messages';

/**
 * A text for people, as an author of the app writes: names of properties and code are written in TypeScript here, and turned
 * into Python where the app is a program in Python.
 */
export function inAppLanguage(text: string): string {
  return isPython() ? inPython(text) : text;
}

/** How an author of the app writes what a message refers to. */
export function appNotation(): Notation {
  return isPython() ? PYTHON : TYPESCRIPT;
}

function isPython(): boolean {
  return /^Python\b/.test(process.env.JSII_AGENT ?? '');
}

/** Whether the app is in another language than JavaScript or TypeScript. */
export function isForeignApp(): boolean {
  // The runtime of jsii, which runs this for programs in other languages, says so.
  return (process.env.JSII_AGENT ?? '') !== '';
}

/** An error with such a text. */
export function appError(text: string): Error {
  return plainError(inAppLanguage(text));
}

/** An error with a text that is in the language of the app already. */
export function plainError(text: string): Error {
  const error = new Error(text);
  // Where a method throws it, this is the message that the runtime of jsii hands to the app.
  if (isForeignApp()) error.toString = () => error.message;
  return error;
}

/** Values in double quotes, and paths of constructs in brackets: they stay as they are. */
const NOT_CODE = /("(?:[^"\\]|\\.)*"|\[[^\]\s'"()]*\])/;

function inPython(text: string): string {
  return text
    .split(NOT_CODE)
    .map((part, index, parts) => (index % 2 === 1 ? part : codeInPython(part, parts[index + 1] ?? '')))
    .join('');
}

/** @param next the value that follows. */
function codeInPython(text: string, next: string): string {
  const code = text
    .replace(/\bnew (?=[A-Z])/g, '')
    .replace(/\(\{([^{}]*)\}\)/g, '($1)')
    .replace(/\b(true|false)\b/g, (word) => (word === 'true' ? 'True' : 'False'))
    .replace(/(?<![A-Za-z0-9_])[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+/g, snakeCase)
    .replace(/\b(set|with|write) ([a-z0-9_]+): (?=[A-Z])/g, '$1 $2=');
  // A property with the value that follows: `with confirmLockOut: "hours"`.
  return next.startsWith('"') ? code.replace(/\b(set|with|write) ([a-z0-9_]+): $/, '$1 $2=') : code;
}

function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
