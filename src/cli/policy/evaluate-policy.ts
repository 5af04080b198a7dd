import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  copy,
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
  type File,
  type Outcome,
  type Value,
} from '../../sentinel';
import {
  loadImports,
  ParsedFiles,
  policiesOf,
  readPolicyConfiguration,
  reportTrace,
  type SentinelLevel,
  type ReportedRule,
  type TestConfiguration,
} from '../../sentinel/testing';
import { readTextFile } from '../../policy/text-file';
import { visible } from '../../text';
import { UserError } from '../errors';
import { readNamed } from '../named-files';
import { EXIT, type ExitCode } from '../exit-codes';
import { counted } from '../output/lists';
import { printJson, printLines, type Output } from '../output/print';
import { indented } from './acl-tests/test-report';
import { isFileError, readSentinelFile } from './sentinel-file';
import { sendRequest } from './http/send-request';
import { languageOf, type LanguageFlags } from './language';

export interface EvaluateFlags extends LanguageFlags {
  readonly request: string;
  readonly time?: string;
  readonly config?: string;
  readonly global?: Readonly<Record<string, string>>;
  readonly param?: Readonly<Record<string, string>>;
  /** The time limit in seconds. */
  readonly timeout?: number;
  readonly allowHttp?: boolean;
  readonly json?: boolean;
}

/** A policy to evaluate. */
interface ChosenPolicy {
  readonly path: string;
  /** The parameters that its block in the configuration sets. */
  readonly params: ReadonlyMap<string, Value>;
}

interface Evaluated {
  readonly outcome: Outcome;
  readonly milliseconds: number;
}

/** Evaluates a policy for one request, and prints the decision with its trace. */
export function evaluatePolicy(written: string, flags: EvaluateFlags, output: Output): ExitCode {
  const configuration = configurationOf(flags);
  const evaluated = evaluator(flags, configuration)(policyNamed(written, configuration));
  if (flags.json) printJson(output, report(evaluated));
  else printLines(output, describe(evaluated.outcome));
  return evaluated.outcome.passed ? EXIT.ok : EXIT.problems;
}

/** Evaluates all policies of a configuration for one request, and prints their decisions. */
export function evaluatePolicies(flags: EvaluateFlags, output: Output): ExitCode {
  const configuration = configurationOf(flags);
  if (!configuration)
    throw new UserError('name a policy, or with --config a file whose policies are all evaluated');
  const policies = orUserError(configuration.source.name, () => policiesOf(configuration));
  if (policies.length === 0)
    throw new UserError(visible(`${configuration.source.name}: there are no blocks "policy"`));
  const evaluateOne = evaluator(flags, configuration);
  const results = policies.map((each) => ({ ...each, ...evaluateOne(each) }));
  const refused = results.filter(({ level, outcome }) => level !== 'advisory' && !outcome.passed);
  const decision = refused.length === 0 ? 'allow' : 'deny';
  if (flags.json) {
    printJson(output, {
      decision,
      milliseconds: results.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
      policies: results.map(({ name, path, level, ...evaluated }) => ({
        ...{ policy: name, path, enforcementLevel: level },
        ...report(evaluated),
      })),
    } satisfies EvaluateSetReport);
  } else {
    const denying = results.filter(({ outcome }) => !outcome.passed).length;
    printLines(output, [
      decision,
      ...results.flatMap(({ name, level, outcome }) => {
        const [own, ...details] = describe(outcome);
        return ['', `${own} - ${visible(name)} (${level})`, ...indented(details.join('\n'), 2).slice(1)];
      }),
      '',
      `${counted(results.length, 'policy', 'policies')}: ${results.length - denying} allow the request, ${denying} deny it`,
    ]);
  }
  return decision === 'allow' ? EXIT.ok : EXIT.problems;
}

/** Returns the policy at a path, or the policy of the configuration with this name. */
function policyNamed(written: string, configuration: TestConfiguration | undefined): ChosenPolicy {
  const policies = configuration
    ? orUserError(configuration.source.name, () => policiesOf(configuration))
    : [];
  return (
    policies.find(({ path }) => resolve(path) === resolve(written)) ??
    (existsSync(written) ? undefined : policies.find(({ name }) => name === written)) ?? {
      path: written,
      params: new Map(),
    }
  );
}

/** Returns a function that evaluates policies with the options of the command line. */
function evaluator(
  flags: EvaluateFlags,
  configuration: TestConfiguration | undefined,
): (policy: ChosenPolicy) => Evaluated {
  const now = flags.time === undefined ? configuration?.time.now : nanoseconds(flags.time);
  const zone = configuration?.time.zone;
  const language = languageOf(flags);
  const read = globalsIn(flags.request);
  const texts = new ParsedFiles(readSentinelFile);
  return ({ path, params }) => {
    const file = policyAt(path);
    const imports = configuration && importsOf(configuration, texts, file);
    const started = performance.now();
    const outcome = evaluate(file, {
      // The values are copied, because a policy may change them.
      globals: copied([...(configuration?.globals ?? []), ...read, ...valuesOf(flags.global)]),
      params: new Map([...(configuration?.params ?? []), ...params, ...valuesOf(flags.param)]),
      ...(imports && { imports }),
      ...(zone !== undefined && { timeZone: zone }),
      ...(now !== undefined && { now }),
      ...(language && { language }),
      ...(flags.timeout !== undefined && { limits: { milliseconds: 1000 * flags.timeout } }),
      ...(flags.allowHttp && { send: sendRequest }),
    });
    return { outcome, milliseconds: performance.now() - started };
  };
}

function copied(values: readonly (readonly [string, Value])[]): ReadonlyMap<string, Value> {
  return new Map(values.map(([name, value]) => [name, copy(value)]));
}

/** Reads `sentinel.hcl`: globals, parameters, imports, policies, and the time zone. */
function configurationOf({ config }: EvaluateFlags): TestConfiguration | undefined {
  return config === undefined
    ? undefined
    : orUserError(config, () => readPolicyConfiguration(config, readSentinelFile));
}

function importsOf(configuration: TestConfiguration, texts: ParsedFiles, file: File) {
  return orUserError(configuration.source.name, () => loadImports(configuration, texts, file));
}

/** @throws UserError for a file that cannot be read, or is not valid. */
function orUserError<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SentinelError) throw new UserError(error.describe());
    if (isFileError(error)) throw new UserError(visible(`${path} cannot be read: ${error.message}`));
    throw error;
  }
}

/** Returns the values of options NAME=VALUE. A value that is not JSON is a text. */
function valuesOf(written: Readonly<Record<string, string>> = {}): readonly (readonly [string, Value])[] {
  return Object.entries(written).map(([name, text]) => [name, valueOf(text)]);
}

function valueOf(text: string): Value {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof NativeFault) return text;
    throw error;
  }
}

function readText(path: string): string {
  return readNamed(path, () => readTextFile(path));
}

function policyAt(path: string): File {
  try {
    return parse(readText(path), visible(path));
  } catch (error) {
    if (error instanceof SentinelSyntaxError) throw new UserError(error.describe());
    throw error;
  }
}

/**
 * Returns the globals for a policy: `request`, `token`, `identity`, … A file without a member
 * `request` is the request itself.
 */
function globalsIn(path: string): ReadonlyMap<string, Value> {
  const data = dataIn(path);
  if (!(data instanceof MapValue)) throw new UserError(`${visible(path)} must hold a JSON object`);
  const globals = new Map([...data.entries].map(([name, value]) => [String(name), value]));
  return globals.has('request') ? globals : new Map([['request', data]]);
}

function dataIn(path: string): Value {
  try {
    return parseJson(readText(path));
  } catch (error) {
    if (error instanceof NativeFault) throw new UserError(visible(`${path}: ${error.message}`));
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
export type EvaluateReport = EvaluatePolicyReport | EvaluateSetReport;

/** The decision of one policy. */
interface EvaluatePolicyReport {
  readonly decision: 'allow' | 'deny';
  /** The value of `main`. `null` if it was not determined. */
  readonly main: unknown;
  readonly error: string | null;
  /** The values of the rules that were evaluated, by their names. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** The same rules with their places, `main` first. */
  readonly trace: readonly ReportedRule[];
  /** The output of the policy's print calls. */
  readonly printed: readonly string[];
  /** How long the evaluation took. */
  readonly milliseconds: number;
}

/** The decision of all policies of a configuration. */
interface EvaluateSetReport {
  /** `deny` if a policy that is not advisory denies the request. */
  readonly decision: 'allow' | 'deny';
  readonly milliseconds: number;
  readonly policies: readonly (EvaluatePolicyReport & {
    readonly policy: string;
    readonly path: string;
    readonly enforcementLevel: SentinelLevel;
  })[];
}

function report({ outcome, milliseconds }: Evaluated): EvaluatePolicyReport {
  const { passed, main, error, rules, printed } = outcome;
  return {
    decision: passed ? 'allow' : 'deny',
    main: main === undefined ? null : toHost(main),
    error: error?.message ?? null,
    rules: Object.fromEntries(rules.map(({ name, value }) => [name, toHost(value)])),
    trace: reportTrace(outcome),
    printed,
    milliseconds,
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
