import { Token, Tokenization, type IResolvable, type TerraformResource } from 'cdktf';
import { property } from '../../src/model/messages';
import { inAppLanguage } from './app-language';
import { isUnknown } from './known';
import { inMessage, late, shown } from './late-expression';
import { allowedValue, patternOf, codeForAnyValue, type LateRule, type Neighbors } from './late-rules';
import { lateText } from './late-text';
import { templateParts } from './literal-text';
import { lateValueBesideWildcard, lateValueRefused } from './messages';

/** A condition that Terraform checks before it writes a resource. */
export interface Condition {
  readonly condition: string;
  readonly errorMessage: string;
}

/** A property whose value is, at least in part, known only to Terraform. */
export interface LateProp {
  readonly name: string;
  readonly rule: LateRule;
  readonly value: string | string[];
}

const ALONE: Neighbors = { before: '', after: '' };

/** The tokens of values that are inserted without a check. */
const PATTERNS = new WeakSet<IResolvable>();
/** The tokens of names that have to remain one segment of a path, even beside other texts. */
const SEGMENTS = new WeakSet<IResolvable>();

/** Returns a value, known only to Terraform, that may hold wildcards and slashes. */
export function patternValue(value: string): string {
  return marked(value, PATTERNS);
}

/** Returns a name that has to remain one segment of a path. */
export function oneSegment(name: string): string {
  return isUnknown(name) && !isPattern(name) ? marked(name, SEGMENTS) : name;
}

/** Whether a text consists only of values that are inserted without a check. */
export function isPattern(template: string): boolean {
  return hasMark(template, PATTERNS);
}

function marked(value: string, marks: WeakSet<IResolvable>): string {
  const text = lateText(() => value);
  for (const token of Tokenization.reverseString(text).tokens) marks.add(token);
  return text;
}

function hasMark(template: string, marks: WeakSet<IResolvable>): boolean {
  const { tokens, literals } = Tokenization.reverseString(template);
  return tokens.length > 0 && tokens.every((token) => marks.has(token)) && !literals.some(isUnknown);
}

/** A part of a text: a literal, or a value that only Terraform knows. */
export interface LatePart extends Neighbors {
  readonly text: string;
  readonly isLiteral: boolean;
}

/** Splits a text as Terraform reads it. A directive such as `%{ if … }` is part of one value. */
export function lateParts(template: string): readonly LatePart[] {
  const parts = templateParts(template);
  const isDirective = ({ text, isLiteral }: (typeof parts)[number]) => !isLiteral && text.startsWith('%{');
  const first = parts.findIndex(isDirective);
  if (first < 0) return withNeighbors(parts);
  const end = parts.findLastIndex(isDirective) + 1;
  const enclosed = parts.slice(first, end).map(({ text }) => text);
  return withNeighbors([
    ...parts.slice(0, first),
    { text: enclosed.join(''), isLiteral: false },
    ...parts.slice(end),
  ]);
}

/** Adds the characters beside each part. Beside another late value, any character is possible. */
export function withNeighbors(
  parts: readonly { readonly text: string; readonly isLiteral: boolean }[],
): readonly LatePart[] {
  const besideOf = (index: number, at: 0 | -1): string => {
    const part = parts[index];
    if (!part) return '';
    return part.isLiteral ? (part.text.at(at) ?? '') : '?';
  };
  return parts.map((part, index) => ({
    ...part,
    before: besideOf(index - 1, -1),
    after: besideOf(index + 1, 0),
  }));
}

/** Returns the pattern that a late value has to match, or `undefined` for any value. */
export function guardOf({ text, before, after }: LatePart, rule: LateRule): string | undefined {
  if (isPattern(text)) return undefined;
  return patternOf(rule, hasMark(text, SEGMENTS) ? { before: '?', after: '?' } : { before, after });
}

/**
 * Returns the conditions for the late values in a text.
 *
 * @throws Error for a value beside a wildcard.
 */
function textConditions(name: string, template: string, rule: LateRule): Condition[] {
  return lateParts(template)
    .filter(({ isLiteral }) => !isLiteral)
    .flatMap((part) => conditionsOf(name, part, rule));
}

/**
 * Returns the conditions for a part of a text.
 *
 * @throws Error for a value beside a wildcard.
 */
export function conditionsOf(name: string, part: LatePart, rule: LateRule): Condition[] {
  const pattern = guardOf(part, rule);
  if (pattern === undefined) return [];
  requireNoWildcard(name, part, rule);
  return [
    {
      condition: late(part.text, (value) => checkable(`can(${matching(pattern, `tostring(${value})`)})`)),
      errorMessage: inAppLanguage(
        lateValueRefused(property(name), shown(part.text), allowedValue(rule, part), codeForAnyValue(rule)),
      ),
    },
  ];
}

function requireNoWildcard(name: string, { before, after }: LatePart, rule: LateRule): void {
  if (rule !== 'path' && rule !== 'mount') return;
  if ('*+{'.includes(before || 'x') || '*+}'.includes(after || 'x'))
    throw lateValueBesideWildcard(property(name), codeForAnyValue(rule));
}

/** Returns a Terraform expression that is the value if it matches. */
export function matching(pattern: string, value: string): string {
  return `regex(${JSON.stringify(pattern)}, ${value})`;
}

/**
 * Returns a condition that Terraform accepts. Terraform refuses a condition without references, and
 * a value that consists only of calls of functions has none.
 */
function checkable(condition: string): string {
  return `anytrue([${condition}, terraform.workspace == ""])`;
}

/** Returns the conditions for all late values of a property. */
function propConditions({ name, rule, value }: LateProp): Condition[] {
  if (typeof value === 'string') return textConditions(name, value, rule);
  if (!Token.isUnresolved(value)) return value.flatMap((each) => textConditions(name, each, rule));
  const pattern = patternOf(rule, ALONE);
  if (pattern === undefined) return [];
  const list = Token.asString(Tokenization.reverseList(value));
  const every = (values: string) =>
    `alltrue([for value in ${values} : can(${matching(pattern, 'tostring(value)')})])`;
  return [
    {
      condition: late(list, (values) => checkable(every(values))),
      errorMessage: inAppLanguage(
        lateValueRefused(property(name), shown(list), allowedValue(rule, ALONE), codeForAnyValue(rule)),
      ),
    },
  ];
}

/**
 * Makes Terraform check late values before it writes a resource.
 *
 * @throws Error for a value beside a wildcard.
 */
export function guardProps(resource: TerraformResource, props: readonly LateProp[]): void {
  requireConditions(resource, props.flatMap(propConditions));
}

/**
 * Returns a text for a provider, which cannot have conditions: its expressions fail for values that
 * are refused.
 */
export function guardedText(name: string, template: string, rule: LateRule): string {
  return lateParts(template)
    .map((part) => {
      const pattern = part.isLiteral ? undefined : guardOf(part, rule);
      if (pattern === undefined) return part.text;
      requireNoWildcard(name, part, rule);
      return late(part.text, (value, shownValue) => {
        const message = lateValueRefused(
          property(name),
          shownValue,
          allowedValue(rule, part),
          codeForAnyValue(rule),
        );
        const text = JSON.stringify(inMessage(inAppLanguage(message)));
        const given = `tostring(${value})`;
        return `can(${matching(pattern, given)}) ? ${given} : tostring(tobool(${text}))`;
      });
    })
    .join('');
}

const CONDITIONS = new WeakMap<TerraformResource, Condition[]>();

/**
 * Makes Terraform check conditions before it writes a resource, even if the app sets another
 * `lifecycle`.
 */
export function requireConditions(resource: TerraformResource, conditions: readonly Condition[]): void {
  if (conditions.length === 0) return;
  const present = CONDITIONS.get(resource);
  if (present) {
    present.push(...conditions);
    return;
  }
  const ours = [...conditions];
  CONDITIONS.set(resource, ours);
  let given = resource.lifecycle;
  Object.defineProperty(resource, 'lifecycle', {
    configurable: true,
    enumerable: true,
    get: () => {
      const theirs = (given?.precondition ?? []).filter((each) => !ours.includes(each));
      return { ...given, precondition: [...theirs, ...ours] };
    },
    set: (lifecycle: TerraformResource['lifecycle']) => (given = lifecycle),
  });
}
