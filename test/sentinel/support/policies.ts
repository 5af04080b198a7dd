import { evaluate, parse, SentinelError, type EvaluateOptions, type Outcome } from '../../../src/sentinel';

/** Runs a policy. */
export function run(text: string, options: EvaluateOptions = {}): Outcome {
  return evaluate(parse(text, 'test.sentinel'), options);
}

/** What an expression gives, as `print` shows it; for an error, its message. */
export function valueOf(expression: string, setup = '', options: EvaluateOptions = {}): string {
  const { error, printed } = run(`${setup}\nprint(${expression})\nmain = true\n`, options);
  return error ? `error: ${error.problem}` : (printed.at(-1) ?? '');
}

/** What is wrong with a text that does not parse, with the line and the caret. */
export function syntaxError(text: string): string {
  try {
    parse(text, 'test.sentinel');
    return 'it parses';
  } catch (error) {
    if (error instanceof SentinelError) return error.describe();
    throw error;
  }
}
