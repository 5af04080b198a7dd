import { Aspects, TerraformStack, type IAspect } from 'cdktf';
import type { IConstruct } from 'constructs';
import { TooComplexError } from '../../src/model';
import { declaredPolicies, declaredPolicy } from '../policies/private/declared-policies';
import { checkObject } from '../private/expectations';
import { checkAtSynthesis, refuse, warn } from '../private/report';
import { GuardedPolicy } from './guarded-policy';
import type { IPolicyRule } from './policy-rule';
import { ACL_RULES, noSudo, WIDE_EGPS_START_ADVISORY } from './private/rules';
import {
  duplicateRuleId,
  guardRailFinding,
  noReason,
  noStacksYet,
  uncheckedFinding,
  unguardedStack,
  unknownRuleId,
  unusedSuppression,
} from './private/messages';
import { noShadowedDeny } from './private/shadowed-denies';

/** The ids of the rules that are suppressed at a construct, in any app. */
const SUPPRESSED = new WeakMap<IConstruct, ReadonlySet<string>>();

/** The properties of guard rails for policies. */
export interface PolicyGuardRailsProps {
  /**
   * Your own rules, in addition to those of the package.
   *
   * @default - none
   */
  readonly rules?: IPolicyRule[] | undefined;

  /**
   * The ids of rules that do not apply at all.
   *
   * @default - none
   */
  readonly ignore?: string[] | undefined;

  /**
   * The names of the policies that may grant `sudo`.
   *
   * @default - none
   */
  readonly sudoPolicies?: string[] | undefined;

  /**
   * Lists of policies that are attached to the same token, by name. A `deny` of one of them must
   * not be overridden by the others.
   *
   * @default - every policy is checked on its own
   */
  readonly attachedTogether?: string[][] | undefined;

  /**
   * Whether policies that break a rule are reported as warnings instead of errors, so that the app
   * is synthesized.
   *
   * @default false
   */
  readonly onlyWarn?: boolean | undefined;
}

/**
 * Checks the policies of an app against rules when the app is synthesized, including policies that
 * are declared with other bindings.
 *
 * `PolicyGuardRails.addTo(app)` adds them to an app; call it before `app.synth()`.
 *
 * It is an aspect of cdktf, which ignores aspects that are added to an app:
 * `Aspects.of(stack).add(new PolicyGuardRails())` works for a stack or a part of one.
 *
 * The rules: `no-sudo`, `no-everything`, `no-policy-writes`, `no-self-raising`, `no-shadowed-deny`,
 * `no-unused-rule`, `managed-keys-apart`, `snapshots-and-replication-apart`,
 * `wide-egps-start-advisory`.
 */
export class PolicyGuardRails implements IAspect {
  /**
   * Adds guard rails to an app, or to a part of one.
   *
   * @param scope an app whose stacks have all been declared, a stack, or another construct.
   * @throws Error for invalid properties, and for an app without stacks. At synthesis, for stacks
   *   that were declared later.
   */
  public static addTo(scope: IConstruct, props: PolicyGuardRailsProps = {}): void {
    const guardRails = new PolicyGuardRails(props);
    if (scope.node.scopes.some((node) => TerraformStack.isStack(node))) {
      Aspects.of(scope).add(guardRails);
      return;
    }
    const stacksIn = () => scope.node.findAll().filter((node) => TerraformStack.isStack(node));
    const guarded = stacksIn();
    if (guarded.length === 0) throw noStacksYet(scope.node.path);
    for (const stack of guarded) Aspects.of(stack).add(guardRails);
    checkAtSynthesis(scope, () =>
      stacksIn()
        .filter((stack) => !guarded.includes(stack))
        .map((stack) => unguardedStack(stack.node.path)),
    );
  }

  /**
   * Allows the policies of a construct to break a rule.
   *
   * @param construct a policy, or a construct that contains policies, such as a stack.
   * @param id the id of the rule, as the finding shows it.
   * @param reason why the policy is correct, for readers of the app.
   * @throws Error if there is no reason.
   */
  public static suppress(construct: IConstruct, id: string, reason: string): void {
    if (typeof reason !== 'string' || reason.trim() === '') throw noReason(construct.node.path, id, reason);
    SUPPRESSED.set(construct, new Set([...(SUPPRESSED.get(construct) ?? []), id]));
  }

  private readonly rules: readonly IPolicyRule[];
  private readonly onlyWarn: boolean;
  private readonly attachedTogether: readonly (readonly string[])[];
  /**
   * The findings that were reported at each construct, because stacks may be synthesized several
   * times.
   */
  private readonly reported = new WeakMap<IConstruct, Set<string>>();

  /** @throws Error for invalid properties. */
  constructor(props: PolicyGuardRailsProps = {}) {
    checkObject('PolicyGuardRails', 'PolicyGuardRailsProps', props, {});
    const { rules = [], ignore = [], sudoPolicies = [], attachedTogether = [], onlyWarn = false } = props;
    const all = [
      noSudo(sudoPolicies),
      ...ACL_RULES,
      noShadowedDeny((policy) => this.attachedTo(policy)),
      WIDE_EGPS_START_ADVISORY,
      ...rules,
    ];
    const ids = all.map(({ id }) => id);
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined) throw duplicateRuleId(twice);
    const unknown = ignore.find((id) => !ids.includes(id));
    if (unknown !== undefined) throw unknownRuleId('PolicyGuardRails: ignore', unknown, ids);
    this.rules = all.filter(({ id }) => !ignore.includes(id));
    this.onlyWarn = onlyWarn;
    this.attachedTogether = attachedTogether;
  }

  /** Checks a construct of the app. cdktf calls it. */
  public visit(node: IConstruct): void {
    this.checkSuppressions(node);
    const declared = declaredPolicy(node);
    if (!declared) return;
    const policy = GuardedPolicy._of(declared);
    for (const rule of this.rules) {
      if (isSuppressed(node, rule.id)) continue;
      for (const finding of findingsOf(rule, policy)) this.report(policy.construct, finding, !this.onlyWarn);
    }
  }

  private checkSuppressions(node: IConstruct): void {
    for (const id of SUPPRESSED.get(node) ?? []) {
      const rule = this.rules.find((each) => each.id === id);
      // The id may be that of a rule of another instance of guard rails.
      if (!rule) continue;
      const isNeeded = declaredPolicies(node).some(
        (declared) => findingsOf(rule, GuardedPolicy._of(declared)).length > 0,
      );
      if (!isNeeded) this.report(node, unusedSuppression(id), false);
    }
  }

  private report(construct: IConstruct, text: string, isError: boolean): void {
    const known = this.reported.get(construct) ?? new Set();
    if (known.has(text)) return;
    this.reported.set(construct, known.add(text));
    if (isError) refuse(construct, text);
    else warn(construct, text);
  }

  /**
   * Returns, for each token that has a policy, its other policies on the same cluster and in the
   * same namespace.
   */
  private attachedTo(policy: GuardedPolicy): readonly (readonly GuardedPolicy[])[] {
    const groups = this.attachedTogether.filter((names) => names.includes(policy.policyName));
    if (groups.length === 0) return [];
    const beside = declaredPolicies(policy.construct.node.root)
      .map((declared) => GuardedPolicy._of(declared))
      .filter(
        ({ kind, policyName, clusterName, namespace }) =>
          kind === policy.kind &&
          policyName !== policy.policyName &&
          clusterName === policy.clusterName &&
          namespace === policy.namespace,
      );
    return groups.map((names) => beside.filter(({ policyName }) => names.includes(policyName)));
  }
}

/**
 * Returns the findings of a rule. A policy that takes too long to check is a finding, so that
 * nobody hides an escalation in a complex policy.
 */
function findingsOf(rule: IPolicyRule, policy: GuardedPolicy): readonly string[] {
  try {
    return rule.check(policy).map((problem) => guardRailFinding(policy, rule, problem));
  } catch (error) {
    if (!(error instanceof TooComplexError)) throw error;
    return [uncheckedFinding(policy, rule)];
  }
}

/** Whether a rule is suppressed at a construct or at any construct around it. */
function isSuppressed(construct: IConstruct, id: string): boolean {
  return construct.node.scopes.some((scope) => SUPPRESSED.get(scope)?.has(id));
}
