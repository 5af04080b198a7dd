import { explanationLines } from '../../../model';
import type { SentinelError } from '../../../sentinel';
import { isTextFault } from '../../../sentinel/testing';
import { visible } from '../../../text';
import { EXIT, type ExitCode } from '../../exit-codes';
import { counted } from '../../output/lists';
import type { Style } from '../../output/style';
import type { ExaminedPolicy, CommandFinding } from '../report/finding';
import type { AclCheckResult, AclFileResult, AclTokenResult } from './run-tests';

/** A request of a token, as `policy test --json` prints it. */
interface ReportedRequest {
  readonly operation: string;
  /** With `never`: a pattern. */
  readonly path: string;
  readonly expected: 'allowed' | 'denied' | 'never';
  /** Whether it is allowed; with `never`, whether any request for the pattern is. */
  readonly allowed: boolean;
  readonly line: number;
}

/** The tests of a token. */
export interface ReportedToken {
  readonly file: string;
  /** The name of the token; `null` for a file that cannot be read. */
  readonly token: string | null;
  readonly passed: boolean;
  readonly requests: readonly ReportedRequest[];
  readonly error: string | null;
}

/** The numbers of passed and failed tests. */
interface Score {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Counts the tests: each request is one, and a token or file that cannot be tested is a failed one.
 */
export function scoreOf(results: readonly AclFileResult[]): Score {
  const tokens = results.flatMap(({ tokens: all }) => all);
  const checks = tokens.flatMap(({ checks: all }) => all);
  const passed = checks.filter((check) => check.passed).length;
  const stopped = [...results, ...tokens].filter(({ error }) => error !== undefined).length;
  return { passed, failed: checks.length - passed + stopped };
}

/**
 * Returns the exit code for the results: the one for invalid files, or whether all tests passed.
 */
export function exitCodeOf(results: readonly AclFileResult[]): ExitCode {
  const errors = results.flatMap(({ error, tokens }) => [error, ...tokens.map((token) => token.error)]);
  if (errors.some(isTextFault)) return EXIT.usage;
  return scoreOf(results).failed === 0 ? EXIT.ok : EXIT.problems;
}

export function reportTokens(results: readonly AclFileResult[]): readonly ReportedToken[] {
  return results.flatMap(({ path: file, error, tokens }): readonly ReportedToken[] => {
    if (error) return [{ file, token: null, passed: false, requests: [], error: error.message }];
    return tokens.map((token) => ({
      file,
      token: token.name,
      passed: hasPassed(token),
      requests: token.checks.map(({ check: { operation, path, expected }, explanation, line }) => ({
        operation,
        path,
        expected,
        allowed: explanation?.allowed ?? false,
        line,
      })),
      error: token.error?.message ?? null,
    }));
  });
}

export function describeFile(
  { path, error, tokens }: AclFileResult,
  isVerbose: boolean,
  style: Style,
): readonly string[] {
  if (error) return [`${style.bad('ERROR')} - ${visible(path)}`, ...indented(error.describe(), 4)];
  const word = tokens.every(hasPassed) ? style.good('PASS') : style.bad('FAIL');
  return [
    `${word} - ${visible(path)}`,
    ...tokens.flatMap((token) => describeToken(path, token, isVerbose, style)),
  ];
}

function describeToken(
  path: string,
  token: AclTokenResult,
  isVerbose: boolean,
  style: Style,
): readonly string[] {
  const { name, error, checks } = token;
  if (error) return [`  ${style.bad('ERROR')} - ${visible(name)}`, ...indented(error.describe(), 4)];
  const word = hasPassed(token) ? style.good('PASS') : style.bad('FAIL');
  return [
    `  ${word} - ${visible(name)} (${counted(checks.length, 'request')})`,
    ...checks.flatMap((result) => {
      if (result.passed && !isVerbose) return [];
      const explained = result.explanation ? explanationLines(result.explanation, [], style) : [];
      const verdict = result.passed ? style.good('as expected') : style.bad(failureOf(result));
      return [
        `    ${visible(path)}:${result.line}: ${verdict}`,
        ...explained.flatMap((line) => indented(line, 6)),
      ];
    }),
  ];
}

/** Returns the failed requests and invalid files as findings, with their positions. */
export function findingsOfTokens(results: readonly AclFileResult[]): {
  readonly cases: readonly ExaminedPolicy[];
  readonly findings: readonly CommandFinding[];
} {
  const stopped = (policy: string, place: string, error: SentinelError): CommandFinding => {
    const { file, line, column } = error.position;
    return { rule: 'stopped', severity: 'error', policy, place, file, line, column, message: error.problem };
  };
  return {
    cases: results.flatMap(({ path: place, tokens }) =>
      tokens.map(({ name: policy }) => ({ policy, place })),
    ),
    findings: results.flatMap(({ path: place, error, tokens }) => {
      if (error) return [stopped(place, place, error)];
      return tokens.flatMap(({ name: policy, error: own, checks }): readonly CommandFinding[] => {
        if (own) return [stopped(policy, place, own)];
        return checks
          .filter(({ passed }) => !passed)
          .map((result) => {
            const message = failureOf(result);
            return {
              rule: 'failed',
              severity: 'error',
              policy,
              place,
              file: place,
              line: result.line,
              message,
            };
          });
      });
    }),
  };
}

function failureOf({ check: { operation, path, expected }, explanation }: AclCheckResult): string {
  const request = visible(`${operation} ${path}`);
  if (expected !== 'never') {
    return `expected ${request} to be ${expected}, got: ${explanation?.allowed ? 'allowed' : 'denied'}`;
  }
  const found = explanation && visible(`${explanation.request.operation} ${explanation.request.path}`);
  return `expected ${request} to be never allowed, got: ${found ?? 'a request'} is allowed`;
}

function hasPassed({ error, checks }: AclTokenResult): boolean {
  return error === undefined && checks.every(({ passed }) => passed);
}

/** Returns the lines of a text with a margin. Empty lines stay empty. */
export function indented(text: string, spaces: number): readonly string[] {
  const margin = ' '.repeat(spaces);
  return text.split('\n').map((line) => (line === '' ? '' : margin + line));
}
