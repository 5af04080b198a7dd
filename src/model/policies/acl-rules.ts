import {
  AclPolicyError,
  describeFault,
  findAclFault,
  isUnknownSyntax,
  isUnknownWord,
  parseAclPolicy,
} from '../acl';
import type { Finding, ObjectDefinition, Rule } from '../definition/field';
import type { Problem } from '../definition/rules';
import { documentRule } from './common-rules';
import { parsedPolicy } from './parsed-policy';
import { isSentinel } from './sentinel-rules';
import { field, literal, literals, phrase } from '../messages';

/**
 * The rule that an ACL policy can be parsed: the server parses it when it is written, and refuses
 * it otherwise.
 */
export const ACL_POLICY_PARSES: Rule = documentRule('policy-parses', (text) => {
  const policy = parsedPolicy(text);
  const isFaulty = policy instanceof AclPolicyError && !isOnlyUnknown(policy, text);
  if (!isFaulty) return undefined;
  return isSentinel(text) ? OF_SENTINEL : asProblem(policy, 'cannot be parsed', text);
});

/** The problem of a Sentinel text in an ACL policy. */
const OF_SENTINEL: Problem = {
  problem: 'is a Sentinel policy, not an ACL policy',
  cure: 'declare it with the resource of an RGP policy or of an EGP policy',
};

/**
 * The rule that arguments and capabilities are known. It is separate, because later servers and
 * OpenBao have others.
 */
export const ACL_SYNTAX_KNOWN: Rule = documentRule('policy-syntax-known', (text) => {
  const fault = unknownSyntaxIn(text);
  return fault && asUnknown(fault, text);
});

function unknownSyntaxIn(text: string): AclPolicyError | undefined {
  const policy = parsedPolicy(text);
  return policy instanceof AclPolicyError && isOnlyUnknown(policy, text) ? policy : undefined;
}

/** Whether a text can be parsed if its unknown words are left out. */
function isOnlyUnknown(fault: AclPolicyError, text: string): boolean {
  if (!isUnknownSyntax(fault)) return false;
  try {
    parseAclPolicy(text, { leavesOut: isUnknownWord });
    return true;
  } catch (error) {
    if (error instanceof AclPolicyError) return false;
    throw error;
  }
}

/** The reaction to unknown syntax. */
export type UnknownPolicySyntax = (typeof UNKNOWN_POLICY_SYNTAX)[number];
export const UNKNOWN_POLICY_SYNTAX = ['error', 'warn'] as const;

/** Returns a definition whose findings on unknown syntax are warnings. */
export function warningOfUnknownSyntax(definition: ObjectDefinition): ObjectDefinition {
  const rules = definition.rules.map((rule) => (rule === ACL_SYNTAX_KNOWN ? UNKNOWN_SYNTAX_NOTED : rule));
  return { ...definition, rules };
}

const UNKNOWN_SYNTAX_NOTED: Rule = documentRule(ACL_SYNTAX_KNOWN.id, (text) => {
  const fault = unknownSyntaxIn(text);
  return (
    fault && {
      ...asProblem(fault, 'uses syntax that is not known', text),
      severity: 'warning',
      cure: 'make sure that your server supports it',
    }
  );
});

/**
 * Checks a text that contains Terraform expressions. An expression in quotes counts as a string
 * with an unknown value. Parts that depend on other expressions are checked in the plan.
 */
export function checkBesideExpressions(text: string): Finding | undefined {
  const fault = findAclFault(text);
  if (!fault) return undefined;
  const [{ id }, problem] = isUnknownSyntax(fault)
    ? [ACL_SYNTAX_KNOWN, asUnknown(fault, text)]
    : [ACL_POLICY_PARSES, asProblem(fault, 'cannot be parsed', text)];
  return { severity: 'error', rule: id, field: 'policy', ...problem };
}

export const ACL_ARGUMENTS_SET_ONCE: Rule = documentRule('policy-arguments-set-once', (text) => {
  const policy = parsedPolicy(text);
  if (policy instanceof AclPolicyError || !policy.duplicateArgument) return undefined;
  return {
    ...asProblem(policy.duplicateArgument, 'cannot be parsed by servers from version 1.21 on', text),
    severity: 'warning',
    cure: 'set the argument once',
  };
});

export const ACL_GLOBS_AT_THE_END: Rule = pathRule(
  'policy-globs-at-the-end',
  (path) => path.slice(0, -1).includes('*'),
  (path) => ({
    problem: 'has a "*" in the middle of a path, where it is literal',
    allowed: '"*" as the last character for any suffix, "+" for one whole segment',
    cure: withoutGlobsInside(path),
  }),
);

const VERSION = 'v1/';

/**
 * The rule that paths do not begin with `v1/`. It only warns, because a mount may have the name
 * `v1`.
 */
export const ACL_PATHS_WITHOUT_VERSION: Rule = pathRule(
  'policy-paths-without-version',
  (path) => path.startsWith(VERSION),
  (path) => ({
    problem: 'has a path that begins with "v1/", which belongs in request URLs, not in policies',
    allowed: 'the mount and the path below it, unless a mount is named "v1"',
    cure: `write ${JSON.stringify(path.slice(VERSION.length))}`,
  }),
);

/** An expression that Terraform has not filled in, because its text was read with `file()`. */
const EXPRESSION = /\$\{[^{}]*\}/;

export const ACL_PATHS_WITHOUT_EXPRESSIONS: Rule = pathRule(
  'policy-paths-without-expressions',
  (path) => EXPRESSION.test(path),
  (path) => ({
    problem: `has a path with ${EXPRESSION.exec(path)![0]}, which nothing fills in: the server takes it literally`,
    cure: 'write the value in its place, or read the file with templatefile()',
  }),
);

/** Returns a rule that warns of the first path whose meaning differs from its appearance. */
function pathRule(
  id: string,
  isOdd: (path: string) => boolean,
  describe: (path: string) => Omit<Problem, 'severity' | 'received'>,
): Rule {
  return documentRule(id, (text) => {
    const policy = parsedPolicy(text);
    if (policy instanceof AclPolicyError) return undefined;
    const path = policy.rules.map((rule) => rule.path).find(isOdd);
    if (path === undefined) return undefined;
    return { severity: 'warning', received: literal(path), ...describe(path) };
  });
}

function withoutGlobsInside(path: string): string {
  const first = path.indexOf('*');
  const hasOnlyStars = path.length > 0 && [...path.slice(first)].every((character) => character === '*');
  if (first >= 0 && hasOnlyStars) return `write ${JSON.stringify(path.slice(0, first + 1))}`;
  const better = path.replace(/(^|\/)\*(?=\/)/g, '$1+');
  if (better === path) return 'write a path without it, or a block for each intended path';
  return `write ${JSON.stringify(better)} if one whole segment is meant`;
}

function asUnknown(error: AclPolicyError, text: string): Problem {
  const problem = asProblem(error, 'cannot be parsed', text);
  return {
    ...problem,
    cure: phrase`${problem.cure}; or, if your server supports it, set ${field('unknown_policy_syntax')} of the cluster to "warn"`,
  };
}

function asProblem(error: AclPolicyError, consequence: string, text: string): Problem {
  const { position, problem, word, cure, namesAllowed = false } = describeFault(error, text);
  const allowed = word === undefined || namesAllowed ? undefined : error.allowed;
  return {
    problem: `${consequence}: ${problem}`,
    ...(word !== undefined && { received: literal(word) }),
    ...(allowed && { allowed: literals(allowed) }),
    cure,
    ...(position && { position }),
  };
}
