import {
  evaluate,
  MapValue,
  NativeFault,
  parse,
  parseInstant,
  parseJson,
  renderTrace,
  SentinelSyntaxError,
  showTraced,
  toHost,
  Undefined,
  type Outcome,
  type Value,
} from '../../sentinel';
import { readTextFile } from '../../policy/text-file';
import { visible } from '../../text';
import { UserError } from '../errors';
import { EXIT, type ExitCode } from '../exit-codes';
import { printJson, printLines, type Output } from '../output/print';
import { languageOf, type LanguageFlags } from './language';

export interface EvaluateFlags extends LanguageFlags {
  readonly request: string;
  readonly time?: string;
  readonly json?: boolean;
}

/** Evaluates a policy for one request, and prints the decision with its trace. */
export function evaluatePolicy(path: string, flags: EvaluateFlags, output: Output): ExitCode {
  const globals = globalsIn(flags.request);
  const now = flags.time === undefined ? undefined : nanoseconds(flags.time);
  const language = languageOf(flags);
  const outcome = evaluate(policyAt(path), {
    globals,
    ...(now !== undefined && { now }),
    ...(language && { language }),
  });
  if (flags.json) printJson(output, report(outcome));
  else printLines(output, describe(outcome));
  return outcome.passed ? EXIT.ok : EXIT.problems;
}

function policyAt(path: string): ReturnType<typeof parse> {
  try {
    return parse(read(path), visible(path));
  } catch (error) {
    if (error instanceof SentinelSyntaxError) throw new UserError(error.describe());
    throw error;
  }
}

/** The names that the policy has: `request`, `token`, `identity`, … A file with none of them is the request itself. */
function globalsIn(path: string): ReadonlyMap<string, Value> {
  const data = dataIn(path);
  if (!(data instanceof MapValue)) throw new UserError(`${visible(path)} must hold a JSON object`);
  const globals = new Map([...data.entries].map(([name, value]) => [String(name), value]));
  return globals.has('request') ? globals : new Map([['request', data]]);
}

function dataIn(path: string): Value {
  try {
    return parseJson(read(path));
  } catch (error) {
    if (error instanceof NativeFault) throw new UserError(visible(`${path}: ${error.message}`));
    throw error;
  }
}

function read(path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    throw new UserError(visible(`${path} cannot be read: ${(error as Error).message}`));
  }
}

function nanoseconds(time: string): bigint {
  try {
    return parseInstant(time).nanoseconds;
  } catch {
    throw new UserError(
      `--time: ${JSON.stringify(time)} is not a valid time; expected a time such as 2026-01-31T09:00:00Z`,
    );
  }
}

function report({ passed, main, error, rules, printed }: Outcome): object {
  return {
    decision: passed ? 'allow' : 'deny',
    main: main === undefined ? null : toHost(main),
    error: error?.message ?? null,
    rules: Object.fromEntries(rules.map(({ name, value }) => [name, toHost(value)])),
    printed,
  };
}

function describe(outcome: Outcome): readonly string[] {
  const { passed, main, error } = outcome;
  const lines = [passed ? 'allow' : 'deny', ''];
  if (error) lines.push(`Error: ${error.describe()}`, '');
  else if (main instanceof Undefined) {
    const place = main.place === undefined ? '' : `: a value became undefined at ${main.place}`;
    lines.push(`main is undefined${place}`, '');
  } else if (main !== undefined) lines.push(`main = ${showTraced(main)}`, '');
  return [...lines, renderTrace(outcome)].join('\n').trimEnd().split('\n');
}
