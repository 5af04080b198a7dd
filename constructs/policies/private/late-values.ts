import { Token } from 'cdktf';
import type { AclRuleSource } from '../../../src/model';
import { late } from '../../private/late-expression';
import {
  conditionsOf,
  guardOf,
  isPattern,
  matching,
  withNeighbors,
  type Condition,
  type LatePart,
} from '../../private/late-values';
import { LATE_VALUE_WIDENS_POLICY, namesKnownToTerraformOnly } from '../../private/messages';

/**
 * Matches an expression that Terraform evaluates in a rule. An escaped expression, `$${`, is a
 * literal.
 */
const EXPRESSION = /(?<!\$)\$\{[^{}"\\\n]*\}/g;
/**
 * Matches the beginning of any other expression. It contains double quotes, which HCL escapes, so
 * Terraform does not recognize it in a comment.
 */
const OTHER_EXPRESSION = /(?<!\$)\$\{(?![^{}"\\\n]*\})/g;

/** Matches a directive that Terraform evaluates in a path: `%{ if … }`. */
const DIRECTIVE = /(?<!%)%\{[^{}"\\\n]*\}/g;

/** The regular expression for a late value in a parameter. */
const PLAIN_IN_PARAMETER = '^[^*]*$';

/** A rule whose late values cannot change its structure, with the conditions for them. */
export interface GuardedRule {
  readonly rule: AclRuleSource;
  /** Conditions for Terraform to check. They are true if no late value widens the rule. */
  readonly conditions: readonly Condition[];
}

/**
 * Protects a rule against values that only Terraform knows. Terraform escapes them for HCL, and
 * refuses wildcards in the values of paths and parameters.
 */
export function guardLateValues(rule: AclRuleSource): GuardedRule {
  const conditions: Condition[] = [];
  const inText = (text: string) => escapeExpressions(text);
  const inParameter = (text: string) => escapeExpressions(text, PLAIN_IN_PARAMETER, conditions);
  for (const parameters of [rule.allowedParameters, rule.deniedParameters]) {
    conditions.push(...distinctNames(Object.keys(parameters ?? {})));
  }
  return {
    conditions,
    rule: {
      ...mapTexts(rule, inText),
      path: guardPath(rule.path, conditions),
      ...(rule.comment !== undefined && { comment: inText(rule.comment.replace(OTHER_EXPRESSION, '$$$${')) }),
      ...(rule.subscribeEventTypes && {
        subscribeEventTypes: mapTexts(rule.subscribeEventTypes, inParameter),
      }),
      ...(rule.allowedParameters && { allowedParameters: mapTexts(rule.allowedParameters, inParameter) }),
      ...(rule.deniedParameters && { deniedParameters: mapTexts(rule.deniedParameters, inParameter) }),
    },
  };
}

/**
 * Returns conditions that a late name of a parameter differs from the other names. An equal name
 * would replace the values under that name.
 */
function distinctNames(names: readonly string[]): readonly Condition[] {
  const isLate = (name: string) => name.search(EXPRESSION) >= 0;
  const [name, another] = names.filter(isLate);
  if (name === undefined || names.length === 1) return [];
  if (another !== undefined) throw namesKnownToTerraformOnly();
  // The names in lower case, as the server compares them.
  const others = names.filter((each) => !isLate(each)).map((each) => each.toLowerCase());
  return [condition(name, (value) => `!contains(${listOf(others)}, lower(${value}))`)];
}

/**
 * Returns a condition. It always contains a reference, because Terraform refuses a condition
 * without references, and a value may consist only of calls of functions.
 */
function condition(expression: string, check: (value: string) => string): Condition {
  return {
    condition: late(
      expression,
      (value) => `anytrue([${check(`tostring(${value})`)}, terraform.workspace == ""])`,
    ),
    errorMessage: LATE_VALUE_WIDENS_POLICY,
  };
}

/** Returns a Terraform list with these texts. */
function listOf(texts: readonly string[]): string {
  return JSON.stringify(texts).replace(/[$%](?=\{)/g, '$&$&');
}

/**
 * Whether a value contains a number, list or object that only Terraform knows, which HCL text
 * cannot contain.
 */
export function hasTokenThatIsNoText(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith('#{TfToken[');
  if (Token.isUnresolved(value)) return true;
  if (Array.isArray(value)) return value.some(hasTokenThatIsNoText);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).flat().some(hasTokenThatIsNoText);
}

function escapeExpressions(text: string, plain?: string, conditions?: Condition[]): string {
  return text.replace(EXPRESSION, (expression) => {
    if (plain === undefined || isPattern(expression))
      return late(expression, (value) => escaped(`tostring(${value})`));
    // A directive may define names of its own, to which a condition cannot refer.
    if (!text.includes('%{'))
      conditions?.push(condition(expression, (value) => `can(${matching(plain, value)})`));
    return late(expression, (value) => escaped(matching(plain, `tostring(${value})`)));
  });
}

/**
 * Protects a path against its late values. Each must be one or more whole segments or a part of a
 * segment, and must not be beside a wildcard.
 */
function guardPath(path: string, conditions: Condition[]): string {
  return pathParts(path)
    .map((part) => {
      if (part.isLiteral) return part.text;
      conditions.push(...conditionsOf('paths', part, 'path'));
      const pattern = guardOf(part, 'path');
      return late(part.text, (value) => {
        const text = `tostring(${value})`;
        return escaped(pattern === undefined ? text : matching(pattern, text));
      });
    })
    .join('');
}

/**
 * Splits a path as Terraform reads it in double quotes of HCL. A directive is part of one value.
 */
function pathParts(path: string): readonly LatePart[] {
  const directives = [...path.matchAll(DIRECTIVE)];
  const begin = directives[0]?.index;
  const last = directives.at(-1);
  const end = last && last.index + last[0].length;
  const split = (text: string) => {
    const parts: { text: string; isLiteral: boolean }[] = [];
    let at = 0;
    for (const { index, 0: expression } of text.matchAll(EXPRESSION)) {
      if (index > at) parts.push({ text: text.slice(at, index), isLiteral: true });
      parts.push({ text: expression, isLiteral: false });
      at = index + expression.length;
    }
    return at < text.length ? [...parts, { text: text.slice(at), isLiteral: true }] : parts;
  };
  if (begin === undefined || end === undefined) return withNeighbors(split(path));
  return withNeighbors([
    ...split(path.slice(0, begin)),
    { text: path.slice(begin, end), isLiteral: false },
    ...split(path.slice(end)),
  ]);
}

/** Returns a text for double quotes of HCL 1. JSON escapes all special characters except `${`. */
function escaped(value: string): string {
  const quoted = `jsonencode(${value})`;
  return String.raw`replace(trimsuffix(trimprefix(${quoted}, "\""), "\""), "$", "\\u0024")`;
}

/** Maps every text within a value, keys included. */
function mapTexts<T>(value: T, map: (text: string) => string): T {
  return mapped(value, map) as T;
}

function mapped(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((each: unknown) => mapped(each, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [map(key), mapped(each, map)]));
}
