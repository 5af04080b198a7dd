import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { TEST_SUFFIX } from '../../policy/acl-files';
import { RE2JS } from 're2js';
import type { Message } from '../../model/messages';
import { readTextFile } from '../../policy/text-file';
import { SentinelCheckError, type SentinelError } from '../../sentinel';
import { SourceText } from '../../sentinel/source/source-text';
import {
  findPolicies,
  isTextFault,
  renderTrace,
  reportTrace,
  runTests,
  showTraced,
  toHost,
  type CaseResult,
  type PolicyFile,
  type PolicyResult,
  type ReportedRule,
} from '../../sentinel/testing';
import { EXIT, type ExitCode } from '../exit-codes';
import { counted } from '../output/lists';
import { printLines, type Output } from '../output/print';
import { styleFor, type Style } from '../output/style';
import { coverageLines, coverageOf, isTooLow, type CoveredRule } from './acl-tests/coverage';
import { findAclTests } from './acl-tests/read-tests';
import {
  describeFile,
  exitCodeOf,
  findingsOfTokens,
  indented,
  reportTokens,
  scoreOf,
  type ReportedToken,
} from './acl-tests/test-report';
import { runAclTests, sourcesOfTests, type AclFileResult } from './acl-tests/run-tests';
import { inRevision, isInRevision } from './sources/git-revision';
import { sendRequest } from './http/send-request';
import { languageOf, type LanguageFlags } from './language';
import type { CommandFinding, FindingsReport } from './report/finding';
import { printFindings } from './report/print-findings';
import { runOnChanges } from './watch';
import { isFileError } from './sentinel-file';
import type { OutputFormatFlags } from './source-options';
import { visible } from '../../text';
import { UserError } from '../errors';

export interface TestFlags extends LanguageFlags, OutputFormatFlags {
  readonly run?: string;
  readonly watch?: boolean;
  readonly coverage?: boolean;
  /** The percentage of rules that must be tested. */
  readonly minCoverage?: number;
  readonly verbose?: boolean;
  /** The time limit in seconds. */
  readonly timeout?: number;
  readonly allowHttp?: boolean;
}

/** Runs tests, and runs them again after each change of a file, until the process is ended. */
export function watchPolicyTests(
  paths: readonly string[],
  flags: TestFlags,
  output: Output,
  env: NodeJS.ProcessEnv,
): void {
  const run = () => void runPolicyTests(paths, flags, output, env);
  runOnChanges(() => [...paths, ...sourcesOfTests(filesAt(paths).aclTests, readTextFile)], run, output);
}

/** Runs tests and prints the results. */
export function runPolicyTests(
  paths: readonly string[],
  flags: TestFlags,
  output: Output,
  env: NodeJS.ProcessEnv,
): ExitCode {
  const started = performance.now();
  const runs = [
    runIn(
      paths.filter((path) => !isRevision(path)),
      flags,
    ),
    ...paths.filter(isRevision).map((source) => inRevision(source, (path) => runIn([path], flags))),
  ];
  if (runs.every(({ tests }) => tests === 0)) {
    throw new UserError(
      noTests(
        paths,
        runs.reduce((sum, each) => sum + each.policies, 0),
      ),
    );
  }
  const results = runs.flatMap((run) => run.results);
  const acl = runs.flatMap((run) => run.acl);
  const wantsCoverage = (flags.coverage ?? false) || flags.minCoverage !== undefined;
  const coverage = wantsCoverage ? coverageOf(acl, results) : undefined;
  printFindings(output, flags, {
    text: () => {
      const seconds = (performance.now() - started) / 1000;
      const style = styleFor(output, env);
      const isVerbose = flags.verbose ?? false;
      const lines = [
        ...results.flatMap((result) => describePolicy(result, isVerbose, style)),
        ...acl.flatMap((result) => describeFile(result, isVerbose, style)),
        ...(coverage ? coverageLines(coverage, flags.minCoverage) : []),
      ];
      printLines(output, [...lines, `${summaryOf(results, acl)}, in ${seconds.toFixed(2)} s`]);
    },
    json: (): TestReport => report(results, acl, coverage),
    findings: () => findingsOf(results, acl),
  });
  const code = Math.max(exitCode(results), exitCodeOf(acl)) as ExitCode;
  return code === EXIT.ok && coverage && isTooLow(coverage, flags.minCoverage) ? EXIT.problems : code;
}

/** The results of the tests in some files and folders. */
interface TestRun {
  readonly results: readonly PolicyResult[];
  readonly acl: readonly AclFileResult[];
  /** The number of Sentinel policies, including those that `--run` does not select. */
  readonly policies: number;
  readonly tests: number;
}

function runIn(paths: readonly string[], flags: TestFlags): TestRun {
  const choice = choiceOf(flags.run);
  const { policies: found, aclTests } = filesAt(paths);
  const policies = found.filter(({ path }) => choice.policy(path));
  const read = readerFor([...aclTests, ...policies.flatMap(({ path, cases }) => [path, ...cases])]);
  const acl = runAclTests(
    aclTests.filter((path) => choice.policy(path)),
    { isChosen: (file, token) => choice.test(file, token), read },
  );
  const language = languageOf(flags);
  const results = runTests(policies, {
    isChosen: (policy, test) => choice.test(policy, test),
    ...(language && { language }),
    ...(flags.timeout !== undefined && { limits: { milliseconds: 1000 * flags.timeout } }),
    ...(flags.allowHttp && { send: sendRequest }),
    read,
  });
  const tests = found.reduce((sum, { cases }) => sum + cases.length, aclTests.length);
  return { results, acl, policies: found.length, tests };
}

function isRevision(path: string): boolean {
  return !existsSync(path) && isInRevision(path);
}

/**
 * Returns a function that reads files for tests. If a policy or a test cannot be read, only its own
 * tests fail. If an imported file cannot be read, the importing test reports it.
 */
function readerFor(paths: readonly string[]): (path: string) => string {
  const own = new Set(paths);
  return (path) => {
    try {
      return readTextFile(path);
    } catch (error) {
      if (isFileError(error) && !own.has(path)) throw error;
      const problem = visible(`the file cannot be read: ${(error as Error).message}`);
      throw new SentinelCheckError(new SourceText(path, ''), { start: 0, end: 0 }, problem);
    }
  };
}

function noTests(paths: readonly string[], policies: number): Message {
  return {
    summary:
      `${visible(paths.join(', '))}: there are no tests` +
      (policies === 0
        ? ' and no Sentinel policies'
        : ` of ${counted(policies, 'Sentinel policy', 'Sentinel policies')}, and none of ACL policies (*${TEST_SUFFIX})`),
    cures: `write the tests of NAME.sentinel as test/NAME/*.hcl beside it, and those of ACL policies as *${TEST_SUFFIX}`,
  };
}

/** Returns the policies and tests at paths. */
function filesAt(paths: readonly string[]): {
  readonly policies: readonly PolicyFile[];
  readonly aclTests: readonly string[];
} {
  try {
    const aclTests = findAclTests(paths);
    return { policies: findPolicies(paths.filter((path) => !path.endsWith(TEST_SUFFIX))), aclTests };
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'path' in error)
      throw new UserError(`${visible(String(error.path))} was not found`);
    throw error;
  }
}

interface Choice {
  policy(path: string): boolean;
  test(policy: string, path: string): boolean;
}

/**
 * Returns the selection by `--run`: the part before "/" selects policies, the part after it selects
 * tests.
 */
function choiceOf(pattern: string | undefined): Choice {
  if (pattern === undefined) return { policy: () => true, test: () => true };
  const [policy = '', ...test] = pattern.split('/');
  const [policyPattern, testPattern] = [policy, test.join('/')].map(regularExpression);
  return {
    policy: (path) =>
      policyPattern?.matcher(basename(basename(path, '.sentinel'), TEST_SUFFIX)).find() ?? true,
    test: (_policy, path) =>
      testPattern?.matcher(basename(path).replace(/\.(?:hcl|json)$/, '')).find() ?? true,
  };
}

/** Compiles a pattern with RE2, which takes no longer for hostile patterns than for others. */
function regularExpression(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch {
    throw new UserError(`--run: ${JSON.stringify(pattern)} is not a valid regular expression`);
  }
}

function exitCode(results: readonly PolicyResult[]): ExitCode {
  const errors = results.flatMap(({ error, cases }) => [error, ...cases.map((each) => each.error)]);
  if (errors.some(isTextFault)) return EXIT.usage;
  return results.every(hasPassed) ? EXIT.ok : EXIT.problems;
}

function hasPassed({ error, cases }: PolicyResult): boolean {
  return error === undefined && cases.every(({ passed }) => passed);
}

interface ReportedCase {
  readonly policy: string;
  /** The path of the test; `null` for a policy without tests that cannot run. */
  readonly case: string | null;
  readonly passed: boolean;
  readonly rules: Readonly<Record<string, { readonly expected: unknown; readonly got: unknown }>>;
  readonly error: string | null;
  /** The rules that were evaluated, `main` first. */
  readonly trace: readonly ReportedRule[];
  /** The output of the policy's print calls. */
  readonly printed: readonly string[];
  readonly milliseconds: number;
}

/** The JSON that `policy test` prints. @public */
export interface TestReport {
  /** The tests of Sentinel policies. */
  readonly cases: readonly ReportedCase[];
  /** The tests of ACL policies. */
  readonly tokens: readonly ReportedToken[];
  /** With `--coverage`: the rules of tested policies. */
  readonly coverage?: readonly CoveredRule[];
  /** How many cases and requests passed. */
  readonly passed: number;
  readonly failed: number;
}

function report(
  results: readonly PolicyResult[],
  acl: readonly AclFileResult[],
  coverage: readonly CoveredRule[] | undefined,
): TestReport {
  const cases = results.flatMap(({ path, error, cases: tests }) => {
    const reported = tests.map((test) => reportCase(path, test));
    if (reported.length > 0 || !error) return reported;
    const none = { rules: {}, trace: [], printed: [], milliseconds: 0 };
    return [{ policy: path, case: null, passed: false, ...none, error: error.message }];
  });
  const passed = cases.filter((each) => each.passed).length;
  const score = scoreOf(acl);
  return {
    cases,
    tokens: reportTokens(acl),
    ...(coverage && { coverage }),
    passed: passed + score.passed,
    failed: cases.length - passed + score.failed,
  };
}

function reportCase(policy: string, test: CaseResult): ReportedCase {
  const { path, passed, assertions, error, outcome, milliseconds } = test;
  // A rule may be asserted more than once. Then its failed assertion is reported.
  const rules = new Map(
    assertions
      .toSorted((a, b) => Number(b.holds) - Number(a.holds))
      .map(({ rule, expected, got }) => [
        rule,
        { expected: toHost(expected), got: got === undefined ? null : toHost(got) },
      ]),
  );
  const absent = assertions.find(({ got }) => got === undefined);
  const message = absent && notInTrace(absent.rule, policy);
  return {
    policy,
    case: path,
    passed,
    rules: Object.fromEntries(rules),
    error: error?.message ?? message ?? null,
    trace: outcome ? reportTrace(outcome) : [],
    printed: outcome?.printed ?? [],
    milliseconds,
  };
}

function failureText({ rule, expected, got }: CaseResult['assertions'][number], policy: string): string {
  if (got === undefined) return notInTrace(rule, policy);
  return `expected "${rule}" to be ${showTraced(expected)}, got: ${showTraced(got)}`;
}

function notInTrace(rule: string, policy: string): string {
  return `rule "${rule}" not found in trace for policy ${basename(policy)}: it was not evaluated, or skipped by its "when"`;
}

function summaryOf(results: readonly PolicyResult[], acl: readonly AclFileResult[]): string {
  const tests = results.flatMap(({ cases }) => cases);
  const own = tests.filter((test) => test.passed).length;
  const { passed, failed } = scoreOf(acl);
  const places = new Set(acl.flatMap(({ policies }) => policies.map(({ source: { place } }) => place)));
  const policies = counted(results.length + places.size, 'policy', 'policies');
  return (
    `${counted(tests.length + passed + failed, 'test')} of ${policies}: ${own + passed} passed, ` +
    `${tests.length - own + failed} failed`
  );
}

/**
 * Returns the findings. A failed test is a finding in the file of the test, or at the place where
 * the policy stopped.
 */
function findingsOf(results: readonly PolicyResult[], acl: readonly AclFileResult[]): FindingsReport {
  const tokens = findingsOfTokens(acl);
  const cases = results.flatMap(({ path, cases: own }) =>
    own.map((test) => ({ policy: path, place: test.path })),
  );
  return {
    command: 'policy test',
    title: 'Tests of policies',
    cases: [...cases, ...tokens.cases],
    findings: [...sentinelFindings(results), ...tokens.findings],
    summary: summaryOf(results, acl),
  };
}

function sentinelFindings(results: readonly PolicyResult[]): readonly CommandFinding[] {
  return results.flatMap(({ path: policy, cases, error }): readonly CommandFinding[] => {
    if (cases.length === 0 && error) return [errorFinding(policy, policy, error)];
    return cases.flatMap((test): readonly CommandFinding[] => {
      const { path: place, passed, error: stopped, assertions } = test;
      if (passed) return [];
      if (stopped) return [errorFinding(policy, place, stopped)];
      const message = assertions
        .filter(({ holds }) => !holds)
        .map((assertion) => failureText(assertion, policy))
        .join('; ');
      return [{ rule: 'failed', severity: 'error', policy, place, file: place, message }];
    });
  });
}

function errorFinding(policy: string, place: string, error: SentinelError): CommandFinding {
  const { file, line, column } = error.position;
  return { rule: 'stopped', severity: 'error', policy, place, file, line, column, message: error.message };
}

function describePolicy(result: PolicyResult, isVerbose: boolean, style: Style): readonly string[] {
  const { path, cases, error } = result;
  if (cases.length === 0 && !error)
    return [`${style.faint('?')}    - ${path} ${style.faint('[no test files]')}`];
  const lines = [`${verdict(result, style)} - ${path}`];
  if (cases.length === 0 && error) lines.push(...indented(error.describe(), 4));
  return [...lines, ...cases.flatMap((test) => describeCase(test, path, isVerbose, style))];
}

function verdict(result: PolicyResult, style: Style): string {
  if (hasPassed(result)) return style.good('PASS');
  return style.bad(result.error ? 'ERROR' : 'FAIL');
}

function describeCase(test: CaseResult, policy: string, isVerbose: boolean, style: Style): readonly string[] {
  const word = test.passed ? style.good('PASS') : style.bad(test.error ? 'ERROR' : 'FAIL');
  const lines = [`  ${word} - ${join(test.path)}`];
  if (test.error) lines.push(...indented(describeError(test.error), 4));
  const failures = test.assertions.filter(({ holds }) => !holds);
  lines.push(...failures.map((assertion) => `    ${failureText(assertion, policy)}`));
  if (test.outcome && (isVerbose || !test.passed)) lines.push(...indented(renderTrace(test.outcome), 4));
  if (test.isLegacy && isVerbose) {
    lines.push('', '    legacy warning:', '      the test is in legacy JSON; HCL is the current format', '');
  }
  return lines;
}

function describeError(error: SentinelError): string {
  return `Error: ${error.describe()}\n`;
}
