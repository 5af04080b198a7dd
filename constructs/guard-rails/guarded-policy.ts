import type { TerraformResource } from 'cdktf';
import type { IConstruct } from 'constructs';
import {
  AclPolicyError,
  AclPolicySet,
  deadRules,
  explainRequest,
  findPermitted,
  parseAclPolicy,
  policyText,
  requestText,
  type AclComparedOperation,
  type AclOperation,
} from '../../src/model';
import type { DeclaredPolicy } from '../policies/private/declared-policies';
import { asTerraformReads, isUnknown } from '../private/known';
import { templateParts } from '../private/literal-text';
import { trimmed } from '../../src/text';

/** The kind of a policy that guard rails check. */
export enum GuardedPolicyKind {
  /** An ACL policy. */
  ACL = 'acl',
  /** A role governing policy. */
  RGP = 'rgp',
  /** An endpoint governing policy. */
  EGP = 'egp',
}

/**
 * A policy of an app, as the rules of guard rails see it: of this package's constructs, or of any
 * bindings.
 *
 * A value that only Terraform knows counts as a name that no policy and no request has.
 */
export class GuardedPolicy {
  /** @internal */
  public static _of(declared: DeclaredPolicy): GuardedPolicy {
    return new GuardedPolicy(declared);
  }

  /** Whether it is an ACL policy, an RGP or an EGP. */
  public readonly kind: GuardedPolicyKind;

  /** The name of the policy. */
  public readonly policyName: string;

  /** The document of the policy. */
  public readonly document: string;

  /** The name of the cluster that the policy is written to. */
  public readonly clusterName: string;

  /**
   * The namespace of the policy, within the namespace of its cluster. It is empty for the namespace
   * of the cluster itself.
   */
  public readonly namespace: string;

  /** The enforcement level of an RGP or EGP. It is empty for an ACL policy. */
  public readonly enforcementLevel: string;

  /** The paths that an EGP governs. Other policies have none. */
  public readonly paths: string[];

  /** The construct that declares the policy. */
  public readonly construct: IConstruct;

  private readonly set: AclPolicySet;

  private constructor({ kind, resource, cluster, arguments: given }: DeclaredPolicy) {
    this.kind = kind as GuardedPolicyKind;
    this.policyName = textOf(given.name);
    this.document = policyText(textOf(given.policy));
    this.clusterName = cluster ?? '';
    this.namespace = trimmed(textOf(given.namespace), '/');
    this.enforcementLevel = textOf(given.enforcement_level);
    this.paths = Array.isArray(given.paths) && !isUnknown(given.paths) ? given.paths.map(textOf) : [];
    this.construct = constructOf(resource);
    this.set = setOf(kind, this.policyName, this.document);
  }

  /**
   * Whether an ACL policy allows a request by itself. False for an RGP or EGP.
   *
   * @param operation `create`, `read`, `update`, `patch`, `delete`, `list` or `recover`.
   * @param path without `/v1/`, relative to the namespace of the policy.
   */
  public allows(operation: string, path: string): boolean {
    return explainRequest(this.set, { operation: operation as AclOperation, path }).allowed;
  }

  /**
   * Finds a request for one of the paths of a pattern that an ACL policy allows. If it finds none,
   * the policy allows no such request.
   *
   * @param operation as for `allows`, or `sudo`.
   * @param pattern a path as policies name it, with `+` for a segment and a final `*` for any
   * ending.
   * @returns the request, such as `update sys/policies/acl/example`; `undefined` if no request is
   * allowed.
   */
  public findAllowed(operation: string, pattern: string): string | undefined {
    const found = findPermitted(this.set, operation as AclComparedOperation, pattern);
    return found && requestText({ ...found, operation: operation as AclOperation });
  }

  /** Returns the paths of an ACL policy's rules, as they are written. */
  public rulePaths(): string[] {
    return this.set.rules.map(({ path }) => path);
  }

  /**
   * Returns the capabilities of an ACL policy's rule for a path, which is named as the rule names
   * it.
   */
  public capabilitiesOf(rulePath: string): string[] {
    const rule = this.set.rules.find(({ path }) => path === rulePath);
    return [...(rule?.permissions.capabilities ?? [])];
  }

  /** Returns the paths of an ACL policy's rules that change no decision, completely or in part. */
  public unusedRulePaths(): string[] {
    return [...new Set(deadRules(this.set).map(({ rule }) => rule.path))];
  }

  /** @internal */
  public get _set(): AclPolicySet {
    return this.set;
  }
}

/** Returns a text in which a name replaces each expression. */
function textOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  return templateParts(value)
    .map(({ text, isLiteral }, index) =>
      isLiteral ? String(asTerraformReads(text)) : `terraform-value-${index}`,
    )
    .join('');
}

/** Returns the construct of this package that contains a resource, or the resource itself. */
function constructOf(resource: TerraformResource): IConstruct {
  const { scope, id } = resource.node;
  return scope && id === 'Resource' ? scope : resource;
}

/**
 * Returns a set with the policy. The set has no rules if the text is not an ACL policy or cannot be
 * parsed, which another check reports.
 */
function setOf(kind: string, name: string, text: string): AclPolicySet {
  if (kind !== 'acl') return new AclPolicySet([]);
  try {
    return new AclPolicySet([{ name, policy: parseAclPolicy(text) }]);
  } catch (error) {
    if (error instanceof AclPolicyError) return new AclPolicySet([]);
    throw error;
  }
}
