import { renderAdvice } from '../../../model/messages';
import {
  isWidening,
  requestText,
  type AclChange,
  type AclChangeGroup,
  type AclMergedRule,
  type AclRequest,
  type UpgradeImpact,
} from '../../../model';
import type { Style } from '../../output/style';

const SIGNS: Readonly<Record<AclChange['becomes'], string>> = {
  allowed: '+',
  denied: '-',
  'less-checked': '~',
  'more-checked': '~',
};

export function changeLines(changes: AclChangeGroup, style: Style): readonly string[] {
  const [change] = changes;
  const { becomes, pattern, except, partly, witness, before, after } = change;
  const operations = changes.map(({ operation }) => operation).join(', ');
  const head = `${SIGNS[becomes]} ${operations}  ${pattern}`;
  const exceptions = except.length > 0 ? `  except ${except.join(', ')}` : '';
  const part = partly ? '  (for some parameters or wrapping TTLs)' : '';
  return [
    (isWidening(change) ? style.good(head) : style.bad(head)) + exceptions + part,
    ...checkLines(change),
    style.faint(`    for example ${requestText(witness)}`),
    style.faint(`    decided by ${decidedBy(before)}, then by ${decidedBy(after)}`),
  ];
}

/** The further checks that are new, or were removed. */
function checkLines({ becomes, checks }: AclChange): readonly string[] {
  if (!checks) return [];
  const { before, after } = checks;
  if (becomes === 'allowed') return [`    must also pass ${after.join('; ')}`];
  if (becomes === 'denied') return [`    also had to pass ${before.join('; ')}`];
  const dropped = before.filter((check) => !after.includes(check));
  const added = after.filter((check) => !before.includes(check));
  return [
    ...(dropped.length > 0 ? [`    no longer has to pass ${dropped.join('; ')}`] : []),
    ...(added.length > 0 ? [`    now has to pass ${added.join('; ')}`] : []),
  ];
}

export function permittedText(changes: AclChangeGroup): string {
  const [{ pattern, except, partly, checks }] = changes;
  const operations = changes.map(({ operation }) => operation).join(', ');
  const exceptions = except.length > 0 ? `  except ${except.join(', ')}` : '';
  const checked = checks ? `  after ${checks.after.join('; ')}` : '';
  return `${pattern}  ${operations}${partly ? ' (in part)' : ''}${exceptions}${checked}`;
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

function decidedBy(rule: AclMergedRule | undefined): string {
  if (!rule) return 'no rule';
  return `${JSON.stringify(rule.path)} (${[...new Set(rule.origins.map(({ policy }) => policy))].join(', ')})`;
}
