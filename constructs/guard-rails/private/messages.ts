import { code, literal, phrase, renderAdvice, type Phrase } from '../../../src/model/messages';
import { appError, inAppLanguage } from '../../private/app-language';
import type { GuardedPolicy } from '../guarded-policy';
import type { IPolicyRule } from '../policy-rule';

const KINDS = { acl: 'ACL policy', rgp: 'RGP', egp: 'EGP' } as const;

/**
 * Returns the finding of a rule.
 *
 * @param problem the part of the policy that breaks the rule, as a text that follows the name of
 * the policy.
 */
export function guardRailFinding(
  { kind, policyName }: GuardedPolicy,
  { id, reason, cure }: Pick<IPolicyRule, 'id' | 'reason' | 'cure'>,
  problem: string,
): string {
  const suppression = code(`PolicyGuardRails.suppress(construct, ${JSON.stringify(id)}, 'why')`);
  return (
    `PolicyGuardRails: ${KINDS[kind]} ${JSON.stringify(policyName)} ${problem} (${id}). ${sentence(reason)}\n` +
    renderAdvice(phrase`${cure}; or, if this is intended, suppress the rule: ${inAppLanguage(suppression)}`)
  );
}

/** Returns the finding for a policy that takes too long to check. */
export function uncheckedFinding(policy: GuardedPolicy, { id }: IPolicyRule): string {
  const reason = 'Too many of its rules or parameter values apply to the same requests';
  const cure = 'divide the policy, or write fewer patterns for the same paths and parameters';
  return guardRailFinding(policy, { id, reason, cure }, 'is too complex to check');
}

export function unusedSuppression(id: string): string {
  return `PolicyGuardRails: ${JSON.stringify(id)} is suppressed here, but no policy of this construct breaks the rule; remove the suppression`;
}

export function unknownRuleId(where: string, id: string, known: readonly string[]): Error {
  return appError(
    `${where}: there is no rule ${JSON.stringify(id)}; allowed: ${known.join(', ')}; correct the id`,
  );
}

export function duplicateRuleId(id: string): Error {
  return appError(
    `PolicyGuardRails: two rules have the id ${JSON.stringify(id)}; give each rule a unique id`,
  );
}

export function noStacksYet(path: string): Error {
  const where = path === '' ? 'the app' : JSON.stringify(path);
  return appError(
    phrase`${code('PolicyGuardRails.addTo')}: ${where} has no stacks yet, so nothing would be checked; call it after
      all stacks have been declared`,
  );
}

export function unguardedStack(path: string): Phrase {
  return phrase`PolicyGuardRails: stack ${literal(path)} was declared after ${code('PolicyGuardRails.addTo')}, and
    its policies are not checked; call ${code('addTo')} after all stacks have been declared`;
}

export function noReason(path: string, id: string, received: unknown): Error {
  return appError(
    `[${path}] PolicyGuardRails.suppress: the reason for suppressing ${JSON.stringify(id)} is ` +
      `${received === undefined ? 'missing' : JSON.stringify(received)}; allowed: a sentence; write why the policy is correct`,
  );
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
