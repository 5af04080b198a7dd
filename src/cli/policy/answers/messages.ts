import { renderAdvice } from '../../../model/messages';
import {
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

/** @param areNamed whether to name the policies of rules, because there are several. */
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

/** In a line for people. Their number is that of rules within a pattern. */
const MOST_EXCEPTIONS = 5;

function exceptionsText(except: readonly string[]): string {
  if (except.length === 0) return '';
  const more = except.length - MOST_EXCEPTIONS;
  const shown = except
    .toSorted()
    .slice(0, more > 1 ? MOST_EXCEPTIONS : undefined)
    .join(', ');
  return `  except ${shown}${more > 1 ? ` and ${more} more (all: --json)` : ''}`;
}

/** The limits of a rule that apply to some requests, by their names. */
function limitsOf(rule: AclMergedRule | undefined, changes: AclChangeGroup): ReadonlyMap<string, string> {
  const limits = new Map<string, string>();
  if (!rule) return limits;
  const { permissions } = rule;
  const { minWrappingTtl: min, maxWrappingTtl: max } = permissions;
  if (changes.some(({ operation }) => TAKING_PARAMETERS.includes(operation))) {
    for (const [name, values] of permissions.allowedParameters)
      limits.set(`allowed_parameters ${JSON.stringify(name)}`, valuesText(values));
    for (const [name, values] of permissions.deniedParameters)
      limits.set(`denied_parameters ${JSON.stringify(name)}`, valuesText(values));
    const required = permissions.requiredParameters;
    if (required.length > 0) limits.set('required_parameters', JSON.stringify(required));
  }
  if (min > 0) limits.set('min_wrapping_ttl', `${min} s`);
  if (max > 0) limits.set('max_wrapping_ttl', `${max} s`);
  return limits;
}

const TAKING_PARAMETERS: readonly string[] = ['create', 'read', 'update', 'patch', 'recover'];

function valuesText(values: readonly unknown[]): string {
  return values.length === 0 ? 'any value' : JSON.stringify(values);
}

/** The limits that differ where requests are concerned in part, otherwise all that are new. */
function limitLines(changes: AclChangeGroup): readonly string[] {
  const [{ becomes, partly, before, after }] = changes;
  const [old, now] = [limitsOf(before, changes), limitsOf(after, changes)];
  if (!partly) {
    const limits = becomes === 'allowed' ? limitsText(now) : '';
    return limits === '' ? [] : [`    with ${limits}`];
  }
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => old.get(name) !== now.get(name))
    .map((name) => `    ${name}: ${old.get(name) ?? 'no limit'}, then ${now.get(name) ?? 'no limit'}`);
}

function limitsText(limits: ReadonlyMap<string, string>): string {
  return Array.from(limits, ([name, value]) => `${name} ${value}`).join(', ');
}

/** The lines that lead a comparison: each dangerous thing that becomes possible, once. */
export function sensitiveLines(
  sensitive: readonly SensitiveChange[],
  who: string,
  style: Style,
): readonly string[] {
  const first = sensitive.filter(
    ({ text }, index) => sensitive.findIndex((each) => each.text === text) === index,
  );
  return first.map((each) => sensitiveLine([each], `! ${who}`, style.bad));
}

/** Returns what somebody may do now, with the requests for one pattern: `update sys/seal`. */
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

/** By which server's rules an answer was found. */
export function rulesLine({ version, origin }: Rules, style: Style): string {
  return style.faint(`By the rules of server version ${version} (${origin}).`);
}

/** The further checks that are new, or were removed. */
function checkLines({ becomes, checks }: AclChange): readonly string[] {
  if (!checks) return [];
  const { before, after } = checks;
  if (becomes === 'allowed') return [`    must also pass ${after.join('; ')}`];
  if (becomes === 'denied') return [`    also had to pass ${before.join('; ')}`];
  const dropped = checksMissing(before, after);
  const added = checksMissing(after, before);
  return [
    ...(dropped.length > 0 ? [`    no longer has to pass ${dropped.join('; ')}`] : []),
    ...(added.length > 0 ? [`    now has to pass ${added.join('; ')}`] : []),
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
  const checked = checks ? `  after ${checks.after.join('; ')}` : '';
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

/** The further conditions of a decision. */
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
