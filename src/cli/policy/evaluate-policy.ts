import {
  evaluate,
  MapValue,
  NativeFault,
  parse,
  parseInstant,
  parseJson,
  renderTrace,
  SentinelError,
  SentinelSyntaxError,
  showTraced,
  toHost,
  Undefined,
  type EvaluateOptions,
  type Outcome,
  type Value,
} from '../../sentinel';
import { loadImports, ParsedFiles, readPolicyConfiguration } from '../../sentinel/testing';
import { visible } from '../../text';
import { UserError } from '../errors';
import { EXIT, type ExitCode } from '../exit-codes';
import { printJson, printLines, type Output } from '../output/print';
import { isFileError, readSentinelFile } from './sentinel-file';
import { sendRequest } from './http/send-request';
import { languageOf, type LanguageFlags } from './language';

export interface EvaluateFlags extends LanguageFlags {
  readonly request: string;
  readonly time?: string;
  readonly config?: string;
  readonly allowHttp?: boolean;
  readonly json?: boolean;
}

/** Evaluates a policy for one request, and prints the decision with its trace. */
export function evaluatePolicy(path: string, flags: EvaluateFlags, output: Output): ExitCode {
  const file = policyAt(path);
  const configured = flags.config === undefined ? {} : optionsIn(flags.config, path, file);
  const now = flags.time === undefined ? configured.now : nanoseconds(flags.time);
  const language = languageOf(flags);
  const outcome = evaluate(file, {
    ...configured,
    globals: new Map([...(configured.globals ?? []), ...globalsIn(flags.request)]),
    ...(now !== undefined && { now }),
    ...(language && { language }),
    ...(flags.allowHttp && { send: sendRequest }),
  });
  if (flags.json) printJson(output, report(outcome));
  else printLines(output, describe(outcome));
  return outcome.passed ? EXIT.ok : EXIT.problems;
}

/** Reads `sentinel.hcl`: globals, parameters, what imports stand for, and the time zone. */
function optionsIn(path: string, policy: string, file: ReturnType<typeof parse>): EvaluateOptions {
  try {
    const configuration = readPolicyConfiguration(path, policy, readSentinelFile);
    const { globals, params, time } = configuration;
    return {
      globals,
      params,
      imports: loadImports(configuration, new ParsedFiles(readSentinelFile), file),
      ...(time.zone !== undefined && { timeZone: time.zone }),
      ...(time.now !== undefined && { now: time.now }),
    };
  } catch (error) {
    if (error instanceof SentinelError) throw new UserError(error.describe());
    if (isFileError(error)) throw new UserError(visible(`${path} cannot be read: ${error.message}`));
    throw error;
  }
}

function policyAt(path: string): ReturnType<typeof parse> {
  try {
    return parse(read(path), visible(path));
  } catch (error) {
    if (error instanceof SentinelSyntaxError) throw new UserError(error.describe());
    throw error;
  }
}

/**
 * The names that the policy has: `request`, `token`, `identity`, … A file with none of them is the
 * request itself.
 */
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
    return readSentinelFile(path);
  } catch (error) {
    if (isFileError(error)) throw new UserError(visible(`${path} cannot be read: ${error.message}`));
    throw error;
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

/** The JSON that `policy eval` prints. @public */
export interface EvaluateReport {
  readonly decision: 'allow' | 'deny';
  /** The value of `main`. `null` if it was not determined. */
  readonly main: unknown;
  readonly error: string | null;
  /** The values of the rules that were evaluated, by their names. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** The output of the policy's print calls. */
  readonly printed: readonly string[];
}

function report({ passed, main, error, rules, printed }: Outcome): EvaluateReport {
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
