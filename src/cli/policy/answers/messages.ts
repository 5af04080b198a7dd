import type {
  AclChangeGroup,
  AclExplanation,
  AclMergedRule,
  AclRefusal,
  AclRequest,
  LostBy,
  UpgradeImpact,
} from '../../../model';
import type { Style } from '../../output/style';

const LOST_BY: Readonly<Record<LostBy, string>> = {
  exact: 'the rule that decides names the path itself',
  'first-wildcard': 'its first "+" or "*" comes earlier',
  prefix: 'it ends with "*"',
  wildcards: 'it has more "+"',
  length: 'it is shorter',
  order: 'it comes earlier in the alphabet',
  slash: 'it matches the list only with, or only without, its final slash, which counts second',
};

/** A request as people write it. */
export function requestText({ operation, path, data, wrapTtl }: AclRequest): string {
  const parameters = Object.entries(data ?? {}).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const wrapping = wrapTtl === undefined ? [] : [`wrapped for ${wrapTtl} s`];
  return [operation, path, ...parameters, ...wrapping].join(' ');
}

export function refusalText(refusal: AclRefusal): string {
  switch (refusal.kind) {
    case 'no-rule':
      return 'No rule matches the path.';
    case 'denied':
      return 'The rule denies everything.';
    case 'capability':
      return `The rule does not grant "${refusal.missing}".`;
    case 'wrapping':
      return `The response must be wrapped ${wrappingBounds(refusal)}.`;
    case 'parameter-required':
      return `The parameter "${refusal.parameter}" is required.`;
    case 'parameter':
      return `The parameter "${refusal.parameter}" is not allowed, or not with this value.`;
    case 'sudo':
      return 'The path also requires the capability "sudo".';
  }
}

function wrappingBounds({ min, max }: Extract<AclRefusal, { kind: 'wrapping' }>): string {
  if (min > 0 && max > 0 && max < min)
    return `for at least ${min} s and at most ${max} s, which is impossible`;
  const bounds = [...(min > 0 ? [`at least ${min} s`] : []), ...(max > 0 ? [`at most ${max} s`] : [])];
  return `for ${bounds.join(' and ')}`;
}

/** A rule with the policies that it comes from. */
export function ruleText({ path, permissions, origins }: AclMergedRule): string {
  const capabilities = [...permissions.capabilities].join(', ') || 'no capabilities';
  const policies = [...new Set(origins.map(({ policy }) => policy))].join(', ');
  return `path ${JSON.stringify(path)}  ${capabilities}  (${policies})`;
}

export function explanationLines(
  explanation: AclExplanation,
  alone: readonly string[],
  style: Style,
): readonly string[] {
  const { request, allowed, rule, refusal, others, controlGroup } = explanation;
  const verdict = allowed ? style.good('allowed') : style.bad('denied');
  const lines = [`${style.strong(requestText(request))} is ${verdict}.`];
  if (refusal) lines.push(refusalText(refusal));
  if (allowed && controlGroup) lines.push('A control group decides further on.');
  if (rule) lines.push('', 'The rule that decides:', `  ${ruleText(rule)}`);
  if (others.length > 0) {
    lines.push('', 'Rules that match as well, but do not decide:');
    for (const { rule: other, lostBy } of others) lines.push(`  ${ruleText(other)}: ${LOST_BY[lostBy]}`);
  }
  if (alone.length > 0) lines.push('', `Policies that allow it by themselves: ${alone.join(', ')}`);
  return lines;
}

export function changeLines(changes: AclChangeGroup, style: Style): readonly string[] {
  const [{ becomes, pattern, except, partly, witness, before, after }] = changes;
  const operations = changes.map(({ operation }) => operation).join(', ');
  const head = `${becomes === 'allowed' ? '+' : '-'} ${operations}  ${pattern}`;
  const exceptions = except.length > 0 ? `  except ${except.join(', ')}` : '';
  const part = partly ? '  (for some parameters or wrapping TTLs)' : '';
  return [
    (becomes === 'allowed' ? style.good(head) : style.bad(head)) + exceptions + part,
    style.faint(`    for example ${requestText(witness)}`),
    style.faint(`    decided by ${decidedBy(before)}, then by ${decidedBy(after)}`),
  ];
}

export function permittedText(changes: AclChangeGroup): string {
  const [{ pattern, except, partly }] = changes;
  const operations = changes.map(({ operation }) => operation).join(', ');
  const exceptions = except.length > 0 ? `  except ${except.join(', ')}` : '';
  return `${pattern}  ${operations}${partly ? ' (in part)' : ''}${exceptions}`;
}

export function impactLines(impact: UpgradeImpact, style: Style): readonly string[] {
  const policy = style.strong(impact.policy);
  switch (impact.kind) {
    case 'decision':
      return [policy, ...changeLines([impact.change], style)];
    case 'untidy-path':
      return [
        `${policy}: requests for ${JSON.stringify(impact.path)} are no longer carried out: the path is not tidy`,
      ];
    case 'template':
      return [
        `${policy}: the rule ${JSON.stringify(impact.path)} is left out if a value in it holds "*" or "+"`,
      ];
    case 'set-twice':
      return [`${policy}: the policy is refused: ${impact.message}`];
  }
}

function decidedBy(rule: AclMergedRule | undefined): string {
  if (!rule) return 'no rule';
  return `${JSON.stringify(rule.path)} (${[...new Set(rule.origins.map(({ policy }) => policy))].join(', ')})`;
}
