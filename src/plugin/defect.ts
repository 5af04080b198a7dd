/**
 * A violated condition that the code of a provider should ensure. The message names the condition.
 */
export class Defect extends Error {
  override readonly name: string = 'Defect';
}

/**
 * Returns the summary and the detail of the message about an error that is not intended for the
 * user.
 */
export function defectText(error: unknown): [summary: string, detail: string] {
  return [
    'Provider failed unexpectedly',
    `This is a defect of the provider, not of the configuration: ${failedAssertion(error)}\n\n` +
      'The previous state is kept. TF_LOG=ERROR shows where it happened; please include that in a report.',
  ];
}

/**
 * Returns the violated condition in one line; for errors of the engine also their kind and the
 * function that they occurred in.
 */
export function failedAssertion(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!ENGINE_ERRORS.has(error.name)) return error.message;
  const place = /^[ \t]*at (?:async )?([^\s(]+) \(/m.exec(error.stack ?? '')?.[1];
  return `${error.name}: ${error.message}${place === undefined ? '' : ` (in ${place})`}`;
}

/**
 * Errors whose message alone does not identify the failure: `Cannot read properties of undefined`.
 */
const ENGINE_ERRORS: ReadonlySet<string> = new Set([
  'TypeError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
]);
