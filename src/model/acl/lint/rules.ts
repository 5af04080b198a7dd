import type { AclCapability } from '../policy';
import { UNCOUNTED } from '../effort';
import { contains, patternOf } from '../reasoning/pattern';
import { templateParts } from '../template';
import { ROOT_PATHS } from '../reasoning/root-paths';
import { otherPath, type LintCheck, type LintedRule, type LintProblem } from './check';
import { firstNames } from './endpoints';
import {
  capabilitiesUsedAt,
  endpointsBelow,
  endpointsMeantBy,
  isListedByRead,
  isOnlyUpdated,
} from './known-endpoints';
import { BUILT_IN, isKv2Data, KV2_PATHS, mountOf } from './mounts';
import { OPEN_PATHS } from './open-paths';
import {
  flatParameter,
  literalParameter,
  requiredUpperCase,
  unequalValue,
  unknownParameter,
  unusedConstraints,
} from './parameters';
import {
  apiPrefix,
  doubleSlash,
  literalPlus,
  outerBlanks,
  percentEncoding,
  queryInPath,
  regularExpression,
} from './path-text';
import { nearestOf, trimmedEnd } from '../../../text';
import { correctedSelector, isSelector, selectorsOfOtherTools, unknownSelectors } from './templates';

/**
 * The paths that match everything: every path of a mount has a slash, so `+/*` applies to all of
 * them.
 */
const EVERYTHING = ['*', '+/*'];
/** A verb of a format text, such as `%s`. Two equal verbs may stand for different values. */
const VERB = /(?<=^|\/)%[dqsv](?=[/*]|$)/;
const WRITES = ['create', 'update', 'patch', 'delete'] as const;

export const LINT_CHECKS: readonly LintCheck[] = [
  {
    id: 'no-path',
    severity: 'error',
    find: ({ isNamed }) =>
      isNamed
        ? undefined
        : {
            problem: 'the block has no path: the server applies it to the path "path"',
            cure: 'write the path in front of the "{": path "…" {',
          },
  },
  {
    id: 'empty-path',
    severity: 'error',
    find: ({ rule: { path } }) =>
      path === '' || path.startsWith('/')
        ? { problem: 'no request has an empty path', cure: 'write the mount and the path below it' }
        : undefined,
  },
  {
    id: 'no-capabilities',
    severity: 'error',
    find: ({ rule: { capabilities }, isRepeated }) =>
      capabilities.length === 0 && !isRepeated
        ? {
            problem: 'the rule grants nothing',
            cure: 'add capabilities, or "deny" to refuse requests regardless of other policies',
          }
        : undefined,
  },
  { id: 'unknown-system-path', severity: 'error', find: unknownSystemPath },
  { id: 'unknown-template', severity: 'error', find: ({ rule: { path } }) => unknownTemplate(path) },
  { id: 'literal-template', severity: 'error', find: ({ rule: { path } }) => literalTemplate(path) },
  { id: 'literal-expression', severity: 'warning', find: literalExpression },
  {
    id: 'literal-wildcard',
    severity: 'warning',
    find: (linted) => (regularExpression(linted) ? undefined : literalWildcard(linted.rule.path)),
  },
  { id: 'literal-plus', severity: 'warning', find: literalPlus },
  { id: 'regular-expression', severity: 'warning', find: regularExpression },
  { id: 'api-prefix', severity: 'warning', find: apiPrefix },
  { id: 'double-slash', severity: 'warning', find: doubleSlash },
  { id: 'outer-blanks', severity: 'warning', find: outerBlanks },
  { id: 'percent-encoding', severity: 'warning', find: percentEncoding },
  { id: 'query-in-path', severity: 'warning', find: queryInPath },
  { id: 'sudo-missing', severity: 'error', find: sudoMissing },
  { id: 'kv2-list-on-data', severity: 'error', find: listOnData },
  { id: 'kv2-without-data', severity: 'error', find: withoutData },
  { id: 'final-slash', severity: 'error', find: finalSlash },
  { id: 'read-missing', severity: 'error', find: readMissing },
  { id: 'update-missing', severity: 'error', find: updateMissing },
  { id: 'misspelt-endpoint', severity: 'warning', find: misspeltEndpoint },
  { id: 'other-operation', severity: 'warning', find: otherOperation },
  { id: 'unknown-parameter', severity: 'warning', find: unknownParameter },
  { id: 'kv2-flat-parameter', severity: 'error', find: flatParameter },
  { id: 'literal-parameter', severity: 'warning', find: literalParameter },
  { id: 'unequal-value', severity: 'error', find: unequalValue },
  { id: 'required-upper-case', severity: 'warning', find: requiredUpperCase },
  { id: 'unused-constraints', severity: 'warning', find: unusedConstraints },
  {
    id: 'repeated-path',
    severity: 'warning',
    find: ({ isRepeated, rule: { path } }) =>
      isRepeated && !VERB.test(path)
        ? {
            problem: `the path ${JSON.stringify(path)} already has a rule: the server merges both`,
            cure: 'merge the rules',
          }
        : undefined,
  },
  {
    id: 'denied-beside',
    severity: 'warning',
    find: ({ isDeniedBeside }) =>
      isDeniedBeside
        ? {
            problem: '"deny" refuses all requests, so the other capabilities of the rule have no effect',
            cure: 'remove "deny", or the others',
          }
        : undefined,
  },
  {
    id: 'everything',
    severity: 'warning',
    find: ({ rule: { path }, capabilities }) =>
      EVERYTHING.includes(path) && !capabilities.has('deny') && capabilities.size > 0
        ? { problem: 'the rule applies to every path', cure: 'list the intended mounts' }
        : undefined,
  },
  {
    id: 'open-path',
    severity: 'note',
    find: ({ rule: { path } }) =>
      isWithin(path, OPEN_PATHS)
        ? {
            problem: 'requests for the path require no token, so policies do not apply to them',
            cure: 'remove the rule',
            fix: { kind: 'remove' },
          }
        : undefined,
  },
  {
    id: 'placeholder',
    severity: 'note',
    find: ({ rule: { path } }) => {
      const [ofTool] = selectorsOfOtherTools(path);
      const [word] =
        /<[^<>/]+>|\$[a-z_]\w*|\b(CHANGE_?ME|REPLACE_?ME|YOUR_\w+)\b/i.exec(path) ?? VERB.exec(path) ?? [];
      const found = ofTool === undefined ? word : `{{ ${ofTool} }}`;
      return found === undefined
        ? undefined
        : {
            problem: `the path contains the placeholder ${JSON.stringify(found)}`,
            cure: 'replace the placeholder',
          };
    },
  },
];

/** The most letters in which a misspelled name differs from the right one. */
const FEW_LETTERS = 2;
/** The length of the shortest abbreviation that is recognized. */
const SHORTEST_PREFIX = 4;

const KINDS_OF_POLICIES: readonly string[] = ['acl', 'rgp', 'egp', 'password'];

/** The most endpoints that a correction lists. */
const MOST_ENDPOINTS = 4;

function unknownSystemPath({ rule: { path }, mounts, effort }: LintedRule): LintProblem | undefined {
  const [mount, name = '', ...rest] = path.split('/');
  if (mount !== 'sys') return undefined;
  if (name === 'policy' && KINDS_OF_POLICIES.includes(rest[0]!)) {
    return {
      problem: `"sys/policy" has policies by their names, and no kinds of them`,
      ...otherPath(['sys', 'policies', ...rest].join('/')),
    };
  }
  const below = endpointsBelow(path, mounts, effort);
  if (below.length > 0) {
    return {
      problem: `the path ${JSON.stringify(path)} has no endpoint, only those below it`,
      cure: oneOf(below),
    };
  }
  const names = firstNames('sys');
  if (!/^[a-z-]+$/.test(name) || names.includes(name)) return undefined;
  const meant = nearestOf(name, names, FEW_LETTERS);
  if (meant === undefined) return undefined;
  const corrected = ['sys', meant, ...rest].join('/');
  const belowCorrected = endpointsBelow(corrected, mounts, effort);
  return {
    problem: `the path ${JSON.stringify(`sys/${name}`)} does not exist`,
    ...(belowCorrected.length > 0 ? { cure: oneOf(belowCorrected) } : otherPath(corrected)),
  };
}

function oneOf(paths: readonly string[]): string {
  const [first, ...others] = paths.map((each) => JSON.stringify(each));
  if (paths.length > MOST_ENDPOINTS) return `write the intended path, such as ${first}`;
  return others.length === 0
    ? `write ${first}`
    : `write ${[first, ...others.slice(0, -1)].join(', ')} or ${others.at(-1)}`;
}

/** Reports a `*` within a path: names of secrets may hold one, but hardly ever do. */
function literalWildcard(path: string): LintProblem | undefined {
  const literal = withoutExpressions(path.replace(/\*$/, ''));
  const segment = literal.split('/').find((each) => each.includes('*'));
  if (segment === undefined) return undefined;
  const problem = `the "*" in ${JSON.stringify(segment)} is literal: only a "*" at the end of the path is a wildcard`;
  const end = path.endsWith('*') ? '*' : '';
  const meant = (trimmedEnd(path, '*') + end).replace(/(?<=^|\/)\*(?=\/)/g, '+');
  // A wildcard cannot stand for a part of a segment, and the text that an expression produces is
  // unknown.
  const isCertain = literal === path.replace(/\*$/, '') && !meant.slice(0, -1).includes('*');
  return { problem, ...(isCertain ? otherPath(meant) : { cure: 'write "+" for any one segment' }) };
}

/**
 * Returns the path without its templates, and without everything from the first Terraform
 * expression to the end of the last one.
 */
function withoutExpressions(path: string): string {
  const text = templateParts(path).texts.join('');
  const [start, end] = [text.search(/[$%]\{/), text.lastIndexOf('}')];
  return start < 0 || end < start ? text : text.slice(0, start) + text.slice(end + 1);
}

function unknownTemplate(path: string): LintProblem | undefined {
  const [selector] = unknownSelectors(path);
  if (selector === undefined) return undefined;
  const meant = correctedSelector(selector);
  return {
    problem: `{{${selector}}} selects nothing, so the rule is ignored`,
    cure: meant === undefined ? 'use an existing selector' : `write {{${meant}}}`,
  };
}

/**
 * Reports a template with single braces, and a Terraform expression that names an identity:
 * Terraform has no resource type of that name, so the server's template is meant.
 */
function literalTemplate(path: string): LintProblem | undefined {
  for (const [expression, selector = ''] of path.matchAll(/(?<!\{)[$%]?\{([^{}]*)\}(?!\})/g)) {
    if (!isSelector(selector.trim())) continue;
    return {
      problem: `${expression} is not a template: the server does not fill it in`,
      cure: `write {{${selector.trim()}}}`,
    };
  }
  return undefined;
}

/** Reports an expression of Terraform in a text in which Terraform does not fill it in. */
function literalExpression({ rule: { path }, isLiteral }: LintedRule): LintProblem | undefined {
  const expression = isLiteral && !literalTemplate(path) ? /[$%]\{[^{}]*\}/.exec(path)?.[0] : undefined;
  if (expression === undefined) return undefined;
  return {
    problem: `nothing fills in ${JSON.stringify(expression)}: the server takes it literally`,
    cure: 'write the value, or read the file with templatefile()',
  };
}

function sudoMissing(linted: LintedRule): LintProblem | undefined {
  const { capabilities } = linted;
  const { path } = linted.rule;
  // A path that is not root-protected needs no `sudo` for reading.
  if (readMissing(linted) && !isWithin(path.replace(/\/$/, ''), ROOT_PATHS)) return undefined;
  if (capabilities.size === 0 || capabilities.has('deny') || capabilities.has('sudo')) return undefined;
  if (!isWithin(path, ROOT_PATHS)) return undefined;
  return {
    problem: 'requests for the path also require the capability "sudo"',
    cure: 'add "sudo", or remove the rule',
    fix: { kind: 'grant', path, capability: 'sudo' },
  };
}

function listOnData({
  rule: { path },
  capabilities,
  mounts,
  set,
  effort,
}: LintedRule): LintProblem | undefined {
  const found = mountOf(path, mounts);
  if (!capabilities.has('list') || !found || !isKv2Data(path, mounts)) return undefined;
  const folder = `${found.mount}/metadata${found.rest.slice('data'.length)}`;
  const example = folder.replace(/\*$/, '').replace(/\+/g, 'example').replace(/\/?$/, '/');
  if (set.acl.allow({ operation: 'list', path: example }, effort).allowed) return undefined;
  return {
    ...severityBeside(capabilities.size > 1),
    problem: 'KV version 2 lists secrets below metadata/, not below data/',
    cure: `grant "list" on ${JSON.stringify(folder)}`,
    fix: { kind: 'grant', path: folder, capability: 'list' },
  };
}

function withoutData({ rule: { path }, capabilities, mounts, paths }: LintedRule): LintProblem | undefined {
  const found = mountOf(path, mounts);
  if (found?.kind !== 'kv-2' || capabilities.has('deny') || capabilities.size === 0) return undefined;
  const name = found.rest.split('/')[0]!;
  if (name === '' || [...KV2_PATHS, ...BUILT_IN].includes(name) || /[+*]|\$\{|\{\{/.test(name))
    return undefined;
  // A policy with both forms is meant for both versions of KV.
  const [data, metadata] = ['data', 'metadata'].map((section) => `${found.mount}/${section}/${found.rest}`);
  const isOfList = [...capabilities].every((capability) => capability === 'list');
  const section = sectionMeantBy(name);
  const rest = found.rest.slice(name.length);
  const meant = section === undefined ? (isOfList ? metadata : data)! : `${found.mount}/${section}${rest}`;
  if (section === undefined && paths.has(meant)) return undefined;
  return {
    problem: `${JSON.stringify(found.mount)} is KV version 2, which has no path ${JSON.stringify(`${name}/`)}`,
    ...otherPath(meant),
  };
}

/** Returns the folder of KV 2 that a name is a short or misspelt form of. */
function sectionMeantBy(name: string): string | undefined {
  if (name.length < SHORTEST_PREFIX) return undefined;
  const folders = KV2_PATHS.filter((each) => each !== 'config');
  return folders.find((each) => each.startsWith(name)) ?? nearestOf(name, folders, 1);
}

/**
 * Returns the severity of a capability that has no effect, depending on whether the rule's other
 * capabilities have one.
 */
function severityBeside(others: boolean): Pick<LintProblem, 'severity'> {
  return others ? { severity: 'warning' } : {};
}

function finalSlash({ rule: { path }, capabilities }: LintedRule): LintProblem | undefined {
  if (!path.endsWith('/') || path === '/' || path.endsWith('//')) return undefined;
  const mount = path.split('/')[0]!;
  const unusable: readonly AclCapability[] = ['sys', 'auth', 'identity'].includes(mount)
    ? WRITES
    : ['read', ...WRITES];
  const granted = unusable.filter((capability) => capabilities.has(capability));
  if (granted.length === 0) return undefined;
  return {
    ...severityBeside(capabilities.has('list')),
    fix: { kind: 'path', path: path.slice(0, -1) },
    problem: `the path ends with a slash, which is only valid for lists: ${granted.join(', ')} cannot be used`,
    cure: `write ${JSON.stringify(path.slice(0, -1))}, or ${JSON.stringify(`${path}*`)} for everything below it`,
  };
}

function readMissing({
  rule: { path },
  capabilities,
  mounts,
  set,
  effort,
}: LintedRule): LintProblem | undefined {
  if (!capabilities.has('list') || capabilities.has('read') || !isListedByRead(path, mounts, effort))
    return undefined;
  const read = path.replace(/\/$/, '');
  if (set.acl.allow({ operation: 'read', path: read }, effort).allowed) return undefined;
  return {
    problem: 'the path can be read, but not listed',
    cure: `grant "read" on ${JSON.stringify(read)}`,
    fix: { kind: 'grant', path: read, capability: 'read' },
  };
}

function updateMissing({
  rule: { path },
  capabilities,
  mounts,
  effort,
}: LintedRule): LintProblem | undefined {
  const uses = ['create', 'read', 'patch', 'delete'] as const;
  if (capabilities.has('update') || !uses.some((capability) => capabilities.has(capability)))
    return undefined;
  if (isWithin(path, OPEN_PATHS) || !isOnlyUpdated(path, mounts, effort)) return undefined;
  return {
    problem: 'requests for this path are updates',
    cure: 'grant "update"',
    fix: { kind: 'grant', path, capability: 'update' },
  };
}

/** The parts of a path that the server or a tool completes. */
const EXPRESSION = /\{\{|[$%]\{/;

function misspeltEndpoint(linted: LintedRule): LintProblem | undefined {
  const { mounts, effort } = linted;
  const { path } = linted.rule;
  if (EXPRESSION.test(path) || unknownSystemPath(linted) || withoutData(linted)) return undefined;
  const [first, ...rest] = path.split('/');
  if (BUILT_IN.includes(first!.toLowerCase()) && !BUILT_IN.includes(first!)) {
    return {
      problem: `paths are compared with upper and lower case, and no server has ${JSON.stringify(`${first}/`)}`,
      ...otherPath([first!.toLowerCase(), ...rest].join('/')),
    };
  }
  const meant = endpointsMeantBy(path, mounts, effort);
  if (meant.length === 0) {
    const below = path.endsWith('/') || isKv2Data(path, mounts) ? [] : endpointsBelow(path, mounts, effort);
    return below.length === 0
      ? undefined
      : { problem: 'the path has no endpoint, only those below it', cure: oneOf(below) };
  }
  const problem = 'the description of the API has no such endpoint, but one that is spelled like it';
  if (meant.length === 1) return { problem, ...otherPath(meant[0]!) };
  return { problem, cure: `write ${meant.map((each) => JSON.stringify(each)).join(' or ')}` };
}

/** Reports a rule if no operation of its endpoints needs any of its capabilities. */
function otherOperation(linted: LintedRule): LintProblem | undefined {
  const { rule, capabilities, mounts, effort } = linted;
  const { path } = rule;
  const granted = [...capabilities].filter((capability) => capability !== 'sudo');
  if (granted.length === 0 || capabilities.has('deny') || EXPRESSION.test(path)) return undefined;
  if (path.endsWith('/') || [readMissing, updateMissing, listOnData].some((find) => find(linted)))
    return undefined;
  // Another check reports lists below data/, unless metadata/ can be listed as well.
  if (granted.every((capability) => capability === 'list') && isKv2Data(path, mounts)) return undefined;
  const used = capabilitiesUsedAt(path, mounts, effort);
  // Versions of the server differ in whether a write that creates an object needs "create" or
  // "update". Below sys/ it needs "update", except for raw storage.
  const isSystem = path.startsWith('sys/') && !path.startsWith('sys/raw');
  const isUsed = (capability: AclCapability) =>
    used?.has(capability === 'create' && !isSystem ? 'update' : capability);
  if (!used || granted.some(isUsed)) return undefined;
  const needed = [...used].map((capability) => JSON.stringify(capability)).join(', ');
  return {
    problem: `no operation of the endpoint needs ${granted.map((each) => JSON.stringify(each)).join(', ')}`,
    cure: `grant what the intended operation needs, of ${needed}`,
  };
}

/** Whether all paths of a rule are within one of some patterns. */
function isWithin(path: string, patterns: readonly string[]): boolean {
  const own = patternOf(path);
  return patterns.some((pattern) => contains(patternOf(pattern), own, UNCOUNTED));
}
