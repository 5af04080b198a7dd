import type { AclRequest } from '../acl';
import type { AclExplanation, AclRefusal, LostBy } from './explain';
import type { MergedRule } from './policy-set';

/** The reasons why a rule that matches does not decide, as texts that follow the rule. */
const LOST_BY: Readonly<Record<LostBy, string>> = {
  exact: 'the rule that decides names the path itself',
  'first-wildcard': 'its first "+" or "*" comes earlier',
  prefix: 'it ends with "*"',
  wildcards: 'it has more "+"',
  length: 'it is shorter',
  order: 'it comes earlier in the alphabet',
  slash:
    'it matches the path of the list only with, or only without, the final slash, and this variant is checked second',
  'no-list': 'it neither denies nor allows lists',
  'longer-prefix': 'another prefix of the path is longer',
};

/** Returns a request as people write it. */
export function requestText({ operation, path, data, wrapTtl }: AclRequest): string {
  const parameters = Object.entries(data ?? {}).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const wrapping = wrapTtl === undefined ? [] : [`wrapped for ${wrapTtl} s`];
  return [operation, path, ...parameters, ...wrapping].join(' ');
}

/** Returns the reason why a request is refused, as a sentence. */
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
    case 'limit':
      return `The ${refusal.limit} of the agent refuse${refusal.limit === 'ceiling' ? 's' : ''} it: ${refusalText(refusal.refusal)}`;
  }
}

function wrappingBounds({ min, max }: Extract<AclRefusal, { kind: 'wrapping' }>): string {
  if (max > 0 && max < min) return `for at least ${min} s and at most ${max} s, which is impossible`;
  const bounds = [...(min > 0 ? [`at least ${min} s`] : []), ...(max > 0 ? [`at most ${max} s`] : [])];
  return `for ${bounds.join(' and ')}`;
}

/** Returns lines about the open questions about the server. */
export function openLines(open: readonly string[]): readonly string[] {
  return open.map((each) => `The server may decide otherwise: ${each}`);
}

/** Returns a rule with the policies that it comes from. */
function ruleText({ path, permissions, origins }: MergedRule): string {
  const capabilities = [...permissions.capabilities].join(', ') || 'no capabilities';
  const policies = [...new Set(origins.map(({ policy }) => policy))].join(', ');
  return `path ${JSON.stringify(path)}  ${capabilities}  (${policies})`;
}

/** Highlights parts of a text. */
interface Marking {
  strong(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

const UNMARKED: Marking = { strong: (text) => text, good: (text) => text, bad: (text) => text };

/**
 * Returns an explanation line by line.
 *
 * @param alone the policies that allow the request by themselves.
 */
export function explanationLines(
  explanation: AclExplanation,
  alone: readonly string[],
  style: Marking = UNMARKED,
): readonly string[] {
  const { request, allowed, rule, refusal, others, checks, unfilled, open, limits = [] } = explanation;
  const verdict = allowed ? style.good('allowed') : style.bad('denied');
  const lines = [`${style.strong(requestText(request))} is ${verdict}.`];
  if (refusal) lines.push(refusalText(refusal));
  lines.push(...openLines(open));
  if (allowed && checks.length > 0) lines.push(`It must also pass: ${checks.join('; ')}.`);
  if (rule) lines.push('', 'The deciding rule:', `  ${ruleText(rule)}`);
  if (others.length > 0) {
    lines.push('', 'Other matching rules, which have no effect:');
    for (const { rule: other, lostBy } of others) lines.push(`  ${ruleText(other)}: ${LOST_BY[lostBy]}`);
  }
  if (unfilled.length > 0) {
    lines.push('', 'Rules that may match as well, depending on the identity of the token:');
    for (const other of unfilled) lines.push(`  ${ruleText(other)}`);
  }
  if (alone.length > 0) lines.push('', `Policies that allow it on their own: ${alone.join(', ')}`);
  for (const limit of limits) {
    lines.push('', `By the ${limit.name} of the agent:`, ...explanationLines(limit.explanation, [], style));
  }
  return lines;
}
