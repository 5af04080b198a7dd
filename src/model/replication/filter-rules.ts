import { stringSet } from '../definition/coerce';
import type { Rule } from '../definition/field';
import { fieldsRule, setRule, type Problem } from '../definition/rules';
import { FILTER_MODE_FIELD } from './fields';
import {
  normalizeFilterPath,
  unfilterableInNamespace,
  unfilterablePath,
  UNFILTERABLE_PATHS,
} from './filter-path';
import { literal } from '../messages';
import { hasControlCharacter } from '../../text';

const UNFILTERABLE = UNFILTERABLE_PATHS.map((path) => JSON.stringify(path)).join(', ');

const PATHS_WELL_FORMED = setRule('paths', 'filter-paths-well-formed', (paths) =>
  paths.flatMap((path) => checkPath(path) ?? []),
);

const PATHS_FILTERABLE = setRule('paths', 'filter-paths-filterable', (paths) =>
  paths.flatMap((path) => checkFilterable(path) ?? []),
);

const PATHS_ONCE = setRule('paths', 'filter-paths-once', (paths) => {
  const seen = new Set<string>();
  const repeated = paths.filter((path) => seen.size === seen.add(normalizeFilterPath(path)).size);
  return repeated.map((path) => ({
    severity: 'warning',
    problem: 'contains a path more than once',
    received: literal(path),
    cure: `write ${JSON.stringify(normalizeFilterPath(path))} once`,
  }));
});

/** An empty allow filter withholds everything, but its author may mean the opposite. */
const ALLOWS_SOMETHING = fieldsRule(['paths', 'mode'], 'filter-allows-something', ({ mode, paths }) =>
  (mode ?? FILTER_MODE_FIELD.default) === 'allow' && stringSet(paths ?? [])?.length === 0
    ? {
        severity: 'warning',
        problem: 'is empty in mode "allow": the secondary receives no secret and no auth mount',
        received: '[]',
        cure: 'list the mounts that the secondary should receive, or remove the filter to send all of them',
      }
    : undefined,
);

/** The rules of a paths filter, besides the facts of its fields. */
export const PATHS_FILTER_RULES: readonly Rule[] = [
  PATHS_WELL_FORMED,
  PATHS_FILTERABLE,
  PATHS_ONCE,
  ALLOWS_SOMETHING,
];

function checkPath(path: string): Problem | undefined {
  const received = JSON.stringify(path);
  const allowed = 'paths of mounts and namespaces, such as "secret/", "auth/approle/" and "team-a/"';
  if (normalizeFilterPath(path) === '/') {
    return { problem: 'contains an empty path', received, allowed, cure: 'remove it' };
  }
  if (path.trim() !== path || path.startsWith('/')) {
    return {
      problem: 'contains a path that begins with a slash, or begins or ends with spaces',
      received,
      allowed,
      cure: `write ${JSON.stringify(normalizeFilterPath(path))}`,
    };
  }
  if (/[*+]/.test(path)) {
    return {
      problem: 'contains a pattern',
      received,
      allowed: `${allowed}, each in full`,
      cure: 'list the mounts and namespaces individually',
    };
  }
  if (
    hasControlCharacter(path) ||
    path.includes('//') ||
    path.split('/').some((segment) => segment === '.' || segment === '..')
  ) {
    return {
      problem: 'contains a path with an empty segment, "." or "..", or control characters',
      received,
      allowed,
      cure: 'write the path as `vault secrets list`, `vault auth list` or `vault namespace list` shows it',
    };
  }
  return undefined;
}

function checkFilterable(path: string): Problem | undefined {
  const mount = unfilterablePath(path);
  const inNamespace = unfilterableInNamespace(path);
  const received = JSON.stringify(path);
  const allowed = `any mount except ${UNFILTERABLE}, and any namespace`;
  if (mount !== undefined) {
    return {
      problem: 'contains a path that cannot be filtered',
      received,
      allowed,
      cure: `remove it: every secondary receives ${JSON.stringify(mount)}`,
    };
  }
  if (inNamespace !== undefined) {
    return {
      severity: 'warning',
      problem: 'contains a path that cannot be filtered within a namespace',
      received,
      allowed: `${allowed}; these mounts are always filtered together with their namespace`,
      cure: `if ${JSON.stringify(normalizeFilterPath(path).slice(0, -inNamespace.length))} is a namespace, filter that, or remove the path`,
    };
  }
  return undefined;
}
