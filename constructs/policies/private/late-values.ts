import { Token, Tokenization, type IResolvable, type IResolveContext } from 'cdktf';
import type { AclRuleSource } from '../../../src/model';
import { lateText } from '../../private/late-text';
import { templateParts } from '../../private/literal-text';
import { namesKnownToTerraformOnly } from '../../private/messages';

/** An expression that rules leave to Terraform. What is escaped as `$${` is none. */
const EXPRESSION = /(?<!\$)\$\{[^{}"\\\n]*\}/g;
/** The beginning of any other: in double quotes of HCL it is escaped, and Terraform finds none there. */
const OTHER_EXPRESSION = /(?<!\$)\$\{(?![^{}"\\\n]*\})/g;

/** What a value may be that only Terraform knows, as a regular expression of Terraform. */
const PLAIN_IN_PATH = '^[^*+{}]+$';
const PLAIN_IN_PARAMETER = '^[^*]*$';

/** A rule whose late values cannot change its structure, and what they must not be. */
export interface GuardedRule {
  readonly rule: AclRuleSource;
  /** Conditions of Terraform that hold if no late value widens the rule. */
  readonly conditions: readonly string[];
}

/** The values in which `*`, `+` and `{{…}}` keep their meaning. */
const PATTERNS = new WeakSet<IResolvable>();

/** A value of Terraform's that may hold wildcards. */
export function patternValue(value: string): string {
  const pattern = lateText(() => value);
  for (const token of Tokenization.reverseString(pattern).tokens) PATTERNS.add(token);
  return pattern;
}

/**
 * Guards a rule against values that only Terraform knows: they are escaped for HCL when they are known, and refused if they
 * hold a wildcard in a path or in a parameter.
 */
export function guardLateValues(rule: AclRuleSource): GuardedRule {
  const conditions: string[] = [];
  const inText = (text: string) => escapeExpressions(text);
  const inPath = (text: string) => escapeExpressions(text, PLAIN_IN_PATH, conditions);
  const inParameter = (text: string) => escapeExpressions(text, PLAIN_IN_PARAMETER, conditions);
  for (const parameters of [rule.allowedParameters, rule.deniedParameters]) {
    conditions.push(...distinctNames(Object.keys(parameters ?? {})));
  }
  return {
    conditions,
    rule: {
      ...mapTexts(rule, inText),
      path: inPath(rule.path),
      ...(rule.comment !== undefined && { comment: inText(rule.comment.replace(OTHER_EXPRESSION, '$$$${')) }),
      ...(rule.allowedParameters && { allowedParameters: mapTexts(rule.allowedParameters, inParameter) }),
      ...(rule.deniedParameters && { deniedParameters: mapTexts(rule.deniedParameters, inParameter) }),
    },
  };
}

/** That a late name of a parameter is not the name of another one, whose values would no longer be what the app says. */
function distinctNames(names: readonly string[]): readonly string[] {
  const isLate = (name: string) => name.search(EXPRESSION) >= 0;
  const [name, another] = names.filter(isLate);
  if (name === undefined || names.length === 1) return [];
  if (another !== undefined) throw namesKnownToTerraformOnly();
  // As the server compares them.
  const others = names.filter((each) => !isLate(each)).map((each) => each.toLowerCase());
  return [late(name, (value) => `!contains(${listOf(others)}, lower(${value}))`)];
}

/** A list of Terraform with these texts. */
function listOf(texts: readonly string[]): string {
  return JSON.stringify(texts).replace(/[$%](?=\{)/g, '$&$&');
}

/** Whether a number, a list or an object is for Terraform to know: HCL texts are written at synthesis. */
export function hasTokenThatIsNoText(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith('#{TfToken[');
  if (Token.isUnresolved(value)) return true;
  if (Array.isArray(value)) return value.some(hasTokenThatIsNoText);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).flat().some(hasTokenThatIsNoText);
}

function escapeExpressions(text: string, plain?: string, conditions?: string[]): string {
  return text.replace(EXPRESSION, (expression) => {
    if (plain === undefined || isPattern(expression)) return late(expression, escaped);
    const match = (value: string) => `regex("${plain}", ${value})`;
    // A directive may bring in names of its own, which a condition would not know.
    if (!text.includes('%{')) conditions?.push(late(expression, (value) => conditionOf(match(value))));
    return late(expression, (value) => escaped(match(value)));
  });
}

function isPattern(expression: string): boolean {
  return Tokenization.reverseString(expression).tokens.some((token) => PATTERNS.has(token));
}

/** A text within quotation marks of HCL 1: JSON escapes what has a meaning there, but for `${`. */
function escaped(value: string): string {
  const quoted = `jsonencode(${value})`;
  return String.raw`replace(trimsuffix(trimprefix(${quoted}, "\""), "\""), "$", "\\u0024")`;
}

/** Terraform refuses conditions without a reference. A value that was made by functions alone has none. */
function conditionOf(match: string): string {
  return `anytrue([can(${match}), terraform.workspace == ""])`;
}

/** An expression, or a token for one, within another. */
function late(expression: string, wrap: (value: string) => string): string {
  return Token.asString(new WrappedExpression(expression, wrap));
}

class WrappedExpression implements IResolvable {
  readonly creationStack: string[] = [];

  constructor(
    private readonly expression: string,
    private readonly wrap: (value: string) => string,
  ) {}

  resolve(context: IResolveContext): string {
    const { suppressBraces } = context;
    // With its braces, an expression can be told from a text that the app itself produces late.
    context.suppressBraces = false;
    const template = String(context.resolve(this.expression));
    context.suppressBraces = suppressBraces;
    return `\${${this.wrap(`tostring(${expressionOf(template)})`)}}`;
  }

  toString(): string {
    return Token.asString(this);
  }
}

/** A text of Terraform's as an expression. */
function expressionOf(template: string): string {
  const parts = templateParts(template);
  const [first] = parts;
  if (parts.length === 1 && first?.text.startsWith('${')) return first.text.slice(2, -1);
  const quoted = parts.map(({ text, isLiteral }) => (isLiteral ? JSON.stringify(text).slice(1, -1) : text));
  return `"${quoted.join('')}"`;
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
