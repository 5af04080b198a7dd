import type { File } from '../ast/nodes';
import { staticFaults } from '../evaluate/static-faults';
import { SentinelCheckError, SentinelError, SentinelSyntaxError } from '../source/errors';
import { evaluate, type EvaluateOptions, type Outcome } from '../evaluate/evaluate';
import { SourceText } from '../source/source-text';
import { isEqual } from '../values/compare';
import type { Value } from '../values/value';
import { loadImports, ParsedFiles } from './configuration/load-imports';
import { readTestConfiguration, type TestConfiguration } from './configuration/test-configuration';
import type { PolicyFile } from './find-policies';
import { readAnyFile, type ReadFile } from './read-file';

/**
 * The expected and the actual value of a rule. `got` is `undefined` if the rule was not evaluated.
 */
export interface Assertion {
  readonly rule: string;
  readonly expected: Value;
  readonly got: Value | undefined;
  readonly holds: boolean;
}

export interface CaseResult {
  readonly path: string;
  readonly passed: boolean;
  readonly assertions: readonly Assertion[];
  /** The error that stopped the test. */
  readonly error: SentinelError | undefined;
  readonly outcome: Outcome | undefined;
  readonly isLegacy: boolean;
  /** How long it took. */
  readonly milliseconds: number;
}

/** A result before the clock is read. */
type Untimed = Omit<CaseResult, 'milliseconds'>;

export interface PolicyResult {
  readonly path: string;
  readonly cases: readonly CaseResult[];
  /** The reason why the policy cannot run at all. */
  readonly error: SentinelError | undefined;
  readonly file: File | undefined;
}

interface TestOptions extends Pick<EvaluateOptions, 'language' | 'limits' | 'now' | 'send'> {
  /** Selects the tests to run, by policy and test. Default: all. */
  readonly isChosen?: (policy: string, test: string) => boolean;
  /** Reads the files. Default: files of any size. */
  readonly read?: ReadFile;
}

/** Runs the tests of policies. */
export function runTests(
  policies: readonly PolicyFile[],
  options: TestOptions = {},
): readonly PolicyResult[] {
  const runner = new TestRunner(options);
  return policies.map((policy) => runner.policy(policy));
}

class TestRunner {
  readonly #options: TestOptions;
  readonly #files: ParsedFiles;

  constructor(options: TestOptions) {
    this.#options = options;
    this.#files = new ParsedFiles(options.read ?? readAnyFile);
  }

  policy({ path, cases }: PolicyFile): PolicyResult {
    const { isChosen = () => true } = this.#options;
    const chosen = cases.filter((test) => isChosen(path, test));
    const file = this.#files.at(path);
    if (file instanceof SentinelError) {
      return {
        path,
        cases: chosen.map((test) => ({ ...failed(test, file), milliseconds: 0 })),
        error: file,
        file: undefined,
      };
    }
    const [fault] = staticFaults(file);
    return { path, cases: chosen.map((test) => this.#timed(file, test)), error: fault, file };
  }

  #timed(file: File, path: string): CaseResult {
    const started = performance.now();
    const result = this.#case(file, path);
    return { ...result, milliseconds: performance.now() - started };
  }

  #case(file: File, path: string): Untimed {
    try {
      const configuration = readTestConfiguration(new SourceText(path, this.#files.read(path)));
      return this.#run(file, path, configuration);
    } catch (error) {
      if (error instanceof SentinelError) return failed(path, error);
      throw error;
    }
  }

  #run(file: File, path: string, configuration: TestConfiguration): Untimed {
    const { globals, params, rules, isLegacy, time } = configuration;
    const imports = loadImports(configuration, this.#files, file);
    const { language, limits, send } = this.#options;
    const now = time.now ?? this.#options.now;
    const outcome = evaluate(file, {
      globals,
      params,
      imports,
      ...(language && { language }),
      ...(limits && { limits }),
      ...(now !== undefined && { now }),
      ...(time.zone !== undefined && { timeZone: time.zone }),
      ...(send && { send }),
    });
    const { error, passed, main } = outcome;
    if (error) return { path, passed: false, assertions: [], error, outcome, isLegacy };
    if (!rules) {
      const assertions = passed ? [] : [{ rule: 'main', expected: true, got: main, holds: false }];
      return { path, passed, assertions, error: undefined, outcome, isLegacy };
    }
    const assertions = rules.map(([rule, expected]) => assertion(rule, expected, outcome, file));
    return {
      path,
      passed: assertions.every(({ holds }) => holds),
      assertions,
      error: undefined,
      outcome,
      isLegacy,
    };
  }
}

/**
 * Compares a rule with its expected value. If `main` is not a rule, it is not in the trace, and its
 * own value is compared.
 */
function assertion(rule: string, expected: Value, outcome: Outcome, file: File): Assertion {
  const traced = outcome.rules.find(({ name }) => name === rule);
  const got = traced ? traced.value : rule === 'main' && !isRule(file, rule) ? outcome.main : undefined;
  return { rule, expected, got, holds: got !== undefined && isEqual(expected, got) === true };
}

function isRule(file: File, name: string): boolean {
  return file.statements.some(
    (statement) =>
      statement.kind === 'assignment' &&
      statement.target.kind === 'identifier' &&
      statement.target.name === name &&
      statement.value.kind === 'rule',
  );
}

function failed(path: string, error: SentinelError): Untimed {
  return { path, passed: false, assertions: [], error, outcome: undefined, isLegacy: false };
}

/** Whether a text does not parse, or can never run. */
export function isTextFault(error: SentinelError | undefined): boolean {
  return error instanceof SentinelSyntaxError || error instanceof SentinelCheckError;
}
