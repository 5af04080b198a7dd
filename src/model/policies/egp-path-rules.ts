import type { Rule } from '../definition/field';
import { setRule, type Problem } from '../definition/rules';
import { literal } from '../messages';

/** The path that matches every request. */
const EVERYTHING = '*';

/** The paths that every token and login depends on. */
const VITAL_PATHS = ['sys/', 'auth/'];

/**
 * Whether an EGP on a path may lock everybody out: it applies to all of `sys/` or of `auth/`, or to
 * everything.
 */
export function isWideEgpPath(path: string): boolean {
  const prefix = path.replace(/^\/+/, '');
  return prefix.endsWith('*') && VITAL_PATHS.some((vital) => vital.startsWith(prefix.slice(0, -1)));
}

export const EGP_PATH_RULES: readonly Rule[] = [
  setRule('paths', 'paths-not-empty', (paths) =>
    paths.length === 0
      ? [
          {
            problem: 'must contain at least one path',
            received: '[]',
            cure: 'add the paths that the policy applies to',
          },
        ]
      : [],
  ),
  setRule('paths', 'paths-well-formed', (paths) => paths.flatMap((path) => checkPath(path) ?? [])),
  setRule('paths', 'paths-not-everything', (paths) =>
    paths.includes(EVERYTHING)
      ? [
          {
            severity: 'warning',
            problem: 'contains "*", which matches every request, including logins',
            received: literal(EVERYTHING),
            cure: 'use narrower paths unless this is intended; a faulty policy locks out everyone except root tokens',
          },
        ]
      : [],
  ),
];

function checkPath(path: string): Problem | undefined {
  const received = JSON.stringify(path);
  if (path.trim() === '') return { problem: 'contains an empty path', received, cure: 'remove it' };
  if (path.trim() !== path) {
    return {
      problem: 'contains a path that begins or ends with spaces',
      received,
      cure: `write ${JSON.stringify(path.trim())}`,
    };
  }
  if (path.startsWith('/')) {
    return {
      problem: 'contains a path with a leading slash',
      received,
      allowed: 'paths without "/v1/" and without a leading slash',
      cure: `write ${JSON.stringify(path.replace(/^\/+(v1\/)?/, ''))}`,
    };
  }
  if (path.slice(0, -1).includes('*')) {
    return {
      problem: 'contains a path with a "*" before its end',
      received,
      allowed: 'one "*", as the last character',
      cure: `write ${JSON.stringify(path.slice(0, path.indexOf('*') + 1))}, or list the paths individually`,
    };
  }
  return undefined;
}
