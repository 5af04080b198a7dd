import { renderAdvice } from '../../../model/messages';
import {
  ACL_SERVER_SETTINGS,
  checksMissing,
  isWidening,
  requestText,
  type AclChange,
  type AclChangeGroup,
  type AclMergedRule,
  type AclRequest,
  type SensitiveChange,
  type UpgradeImpact,
} from '../../../model';
import type { Style } from '../../output/style';
import type { Rules } from '../sources/read-set';
import { grantedBy } from './json';

const SIGNS: Readonly<Record<AclChange['becomes'], string>> = {
  allowed: '+',
  denied: '-',
  'less-checked': '~',
  'more-checked': '~',
};

/**
 * @param areNamed whether to name the policies of the rules, because there are several policies.
 */
export function changeLines(changes: AclChangeGroup, style: Style, areNamed = false): readonly string[] {
  const [change] = changes;
  const { becomes, pattern, except, partly, witness, before, after } = change;
  const operations = changes.map(({ operation }) => operation).join(', ');
  const head = `${SIGNS[becomes]} ${operations}  ${pattern}`;
  const part = partly ? '  (in part)' : '';
  return [
    (isWidening(change) ? style.good(head) : style.bad(head)) + exceptionsText(except) + part,
    ...limitLines(changes),
    ...checkLines(change),
    style.faint(`    for example ${requestText(witness)}`),
    style.faint(`    decided by ${decidedBy(before, areNamed)}, then by ${decidedBy(after, areNamed)}`),
  ];
}

/**
 * The maximum number of texts in a line for people. A long list would be repeated for each pattern
 * that has it.
 */
const MOST_SHOWN = 5;
const MOST_CHARACTERS = 400;

/** Joins the first texts of a list, and says how many more there are. No text is shortened. */
function fewOf(texts: readonly string[], separator = ', '): string {
  let characters = 0;
  const most = texts.length > MOST_SHOWN + 1 ? MOST_SHOWN : texts.length;
  const shown = texts.slice(0, most).filter((text) => (characters += text.length) <= MOST_CHARACTERS);
  const more = texts.length - shown.length;
  if (more === 0) return shown.join(separator);
  if (shown.length === 0) return `${more} long ${more === 1 ? 'text' : 'texts'} (all: --json)`;
  return `${shown.join(separator)} and ${more} more (all: --json)`;
}

function exceptionsText(except: readonly string[]): string {
  return except.length === 0 ? '' : `  except ${fewOf(except.toSorted())}`;
}

/** A limit of a rule on requests: the values of a parameter, the names of parameters, or a time. */
type Limit = readonly unknown[] | string;

/** Returns those limits of a rule that apply to the requests of a change, by name. */
function limitsOf(rule: AclMergedRule | undefined, changes: AclChangeGroup): ReadonlyMap<string, Limit> {
  const limits = new Map<string, Limit>();
  if (!rule) return limits;
  const { permissions } = rule;
  const { minWrappingTtl: min, maxWrappingTtl: max } = permissions;
  if (changes.some(({ operation }) => TAKING_PARAMETERS.includes(operation))) {
    for (const [name, values] of permissions.allowedParameters)
      limits.set(`allowed_parameters ${JSON.stringify(name)}`, values);
    for (const [name, values] of permissions.deniedParameters)
      limits.set(`denied_parameters ${JSON.stringify(name)}`, values);
    const required = permissions.requiredParameters;
    if (required.length > 0) limits.set('required_parameters', required);
  }
  if (min > 0) limits.set('min_wrapping_ttl', `${min} s`);
  if (max > 0) limits.set('max_wrapping_ttl', `${max} s`);
  return limits;
}

const TAKING_PARAMETERS: readonly string[] = ['create', 'read', 'update', 'patch', 'recover'];

/** The JSON of values, which is kept because many patterns have the limits of one rule. */
const JSON_OF = new WeakMap<readonly unknown[], readonly string[]>();

function jsonOf(values: readonly unknown[]): readonly string[] {
  const known = JSON_OF.get(values) ?? values.map((value) => JSON.stringify(value));
  JSON_OF.set(values, known);
  return known;
}

/** @param other the limit to compare with: values that it does not have are shown first. */
function limitText(limit: Limit | undefined, other?: Limit): string {
  if (limit === undefined) return 'no limit';
  if (typeof limit === 'string') return limit;
  if (limit.length === 0) return 'any value';
  const texts = jsonOf(limit);
  if (typeof other !== 'object' || texts.length <= MOST_SHOWN + 1) return `[${fewOf(texts, ',')}]`;
  const known = new Set(jsonOf(other));
  return `[${fewOf([...texts.filter((text) => !known.has(text)), ...texts.filter((text) => known.has(text))], ',')}]`;
}

function isSameLimit(one: Limit | undefined, other: Limit | undefined): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  const [texts, others] = [jsonOf(one), jsonOf(other)];
  return one === other || (texts.length === others.length && texts.every((text, at) => text === others[at]));
}

/**
 * Returns lines with limits. If a change concerns only a part of the requests, these are the limits
 * that differ; otherwise, all limits of the requests that become allowed.
 */
function limitLines(changes: AclChangeGroup): readonly string[] {
  const [{ becomes, partly, before, after }] = changes;
  const [old, now] = [limitsOf(before, changes), limitsOf(after, changes)];
  if (!partly) {
    const limits = becomes === 'allowed' ? limitsText(now) : '';
    return limits === '' ? [] : [`    with ${limits}`];
  }
  const names = [...new Set([...old.keys(), ...now.keys()])];
  const differing = names.filter((name) => !isSameLimit(old.get(name), now.get(name)));
  const shown = differing.length > MOST_SHOWN + 1 ? differing.slice(0, MOST_SHOWN) : differing;
  const more = differing.length - shown.length;
  return [
    ...shown.map((name) => {
      const [one, other] = [old.get(name), now.get(name)];
      return `    ${name}: ${limitText(one, other)}, then ${limitText(other, one)}`;
    }),
    ...(more > 0 ? [`    and ${more} more limits (all: --json)`] : []),
  ];
}

function limitsText(limits: ReadonlyMap<string, Limit>): string {
  return fewOf(Array.from(limits, ([name, limit]) => `${name} ${limitText(limit)}`));
}

/** Returns the first lines of a comparison: each dangerous thing that becomes possible, once. */
export function sensitiveLines(
  sensitive: readonly SensitiveChange[],
  who: string,
  style: Style,
): readonly string[] {
  const first = new Map<string, SensitiveChange>();
  for (const each of sensitive) if (!first.has(each.text)) first.set(each.text, each);
  return [...first.values()].map((each) => sensitiveLine([each], `! ${who}`, style.bad));
}

/**
 * Returns the dangerous thing that becomes possible, with the requests for one pattern: `update
 * sys/seal`.
 */
export function sensitiveLine(
  same: readonly [SensitiveChange, ...SensitiveChange[]],
  who: string,
  marked: (text: string) => string = (text) => text,
): string {
  const [first] = same;
  const operations = same.flatMap((each) => ('change' in each ? [each.change.operation] : []));
  const pattern = 'change' in first ? first.change.pattern : first.pattern;
  const requests = operations.length > 0 ? `${operations.join(', ')} ${pattern}` : pattern;
  return `${marked(`${who} may now ${first.text}`)}: ${requests}`;
}

/** Returns the line that names the server version whose rules were followed. */
export function rulesLine({ version, origin, settings = {} }: Rules, style: Style): string {
  const set = [...ACL_SERVER_SETTINGS].flatMap(([name, key]) => (settings[key] ? [name] : []));
  const others = set.length === 0 ? '' : `, with ${set.join(', ')}`;
  return style.faint(`By the rules of server version ${version} (${origin})${others}.`);
}

/** Returns lines about further checks that become necessary, or no longer are. */
function checkLines({ becomes, checks }: AclChange): readonly string[] {
  if (!checks) return [];
  const { before, after } = checks;
  if (becomes === 'allowed') return [`    must also pass ${fewOf(after, '; ')}`];
  if (becomes === 'denied') return [`    also had to pass ${fewOf(before, '; ')}`];
  const dropped = checksMissing(before, after);
  const added = checksMissing(after, before);
  return [
    ...(dropped.length > 0 ? [`    no longer has to pass ${fewOf(dropped, '; ')}`] : []),
    ...(added.length > 0 ? [`    now has to pass ${fewOf(added, '; ')}`] : []),
  ];
}

/** @param areNamed whether to name the policies that grant each operation. */
export function permittedText(changes: AclChangeGroup, areNamed: boolean): string {
  const [{ pattern, except, checks, after }] = changes;
  const granted = changes.map((change) => ({
    operation: change.operation,
    by: grantedBy(change).join(', '),
  }));
  const operations = areNamed
    ? granted.map(({ operation, by }) => `${operation} (${by})`)
    : granted.map(({ operation }) => operation);
  const limits = limitsText(limitsOf(after, changes));
  const checked = checks ? `  after ${fewOf(checks.after, '; ')}` : '';
  const limited = limits === '' ? '' : `  with ${limits}`;
  return `${pattern}  ${operations.join(', ')}${exceptionsText(except)}${limited}${checked}`;
}

export function impactLines(impact: UpgradeImpact, style: Style): readonly string[] {
  const policy = style.strong(impact.policy);
  switch (impact.kind) {
    case 'decision':
      return [policy, ...changeLines([impact.change], style)];
    case 'untidy-path':
      return [
        `${policy}: the server no longer accepts requests for ${JSON.stringify(impact.path)}, which is not in canonical form`,
        exampleLine(impact.witness, style),
      ];
    case 'template':
      return [
        `${policy}: the rule ${JSON.stringify(impact.path)} is ignored if a value in it contains "*" or "+", such as ${JSON.stringify(impact.value)}`,
        ...changeLines([impact.change], style),
      ];
    case 'set-twice':
      return [
        `${policy}: the server refuses the policy: ${impact.message}`,
        ...(impact.witness ? [exampleLine(impact.witness, style)] : []),
      ];
  }
}

function exampleLine(witness: AclRequest, style: Style): string {
  return style.faint(`    for example ${requestText(witness)}`);
}

/**
 * Returns the lines about rules whose templates are not filled in, so that the decision may depend
 * on the identity.
 */
export function unfilledLines(rules: readonly AclMergedRule[]): readonly string[] {
  const paths = rules.map(({ path }) => JSON.stringify(path)).join(', ');
  return [
    `It may depend on the identity of the token: ${paths}`,
    renderAdvice('specify an identity (--identity, or --cluster with --entity)'),
  ];
}

function decidedBy(rule: AclMergedRule | undefined, isNamed: boolean): string {
  if (!rule) return 'no rule';
  if (!isNamed) return JSON.stringify(rule.path);
  return `${JSON.stringify(rule.path)} (${[...new Set(rule.origins.map(({ policy }) => policy))].join(', ')})`;
}
