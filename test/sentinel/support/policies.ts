import { evaluate, parse, SentinelError, type EvaluateOptions, type Outcome } from '../../../src/sentinel';

/** Runs a policy. */
export function run(text: string, options: EvaluateOptions = {}): Outcome {
  return evaluate(parse(text, 'test.sentinel'), options);
}

/** Returns the value of an expression, as `print` shows it, or the message of its error. */
export function valueOf(expression: string, setup = '', options: EvaluateOptions = {}): string {
  const { error, printed } = run(`${setup}\nprint(${expression})\nmain = true\n`, options);
  return error ? `error: ${error.problem}` : (printed.at(-1) ?? '');
}

/** Returns the error of a text that does not parse, with the line and the caret. */
export function syntaxError(text: string): string {
  try {
    parse(text, 'test.sentinel');
    return 'it parses';
  } catch (error) {
    if (error instanceof SentinelError) return error.describe();
    throw error;
  }
}
