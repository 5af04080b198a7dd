import { requestText, type AclChangeGroup, type AclMergedRule, type UpgradeImpact } from '../../../model';
import type { Style } from '../../output/style';

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
        `${policy}: requests for ${JSON.stringify(impact.path)} are now refused: the path is not in its canonical form`,
      ];
    case 'template':
      return [
        `${policy}: the rule ${JSON.stringify(impact.path)} is ignored if a value in it contains "*" or "+"`,
      ];
    case 'set-twice':
      return [`${policy}: the policy is refused: ${impact.message}`];
  }
}

function decidedBy(rule: AclMergedRule | undefined): string {
  if (!rule) return 'no rule';
  return `${JSON.stringify(rule.path)} (${[...new Set(rule.origins.map(({ policy }) => policy))].join(', ')})`;
}
