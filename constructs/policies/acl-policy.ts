import { Policy as UpstreamPolicy } from '@cdktf/provider-vault/lib/policy';
import type { TerraformResource } from 'cdktf';
import { Construct } from 'constructs';
import { ACL_POLICY } from '../../src/model';
import { VaultResources, type IVaultCluster } from '../clusters/cluster';
import { AclPolicy as VaultadminAclPolicy } from '../generated/providers/vaultadmin/acl-policy';
import type { IAclPolicy, IPolicy } from './policy';
import { PolicyDocument } from './policy-document';
import type { PolicyStatement } from './policy-statement';
import { asMainResource } from '../private/main-resource';
import { checkProps, CLUSTER, list, POLICY_DOCUMENT } from '../private/expectations';
import { LATE_VALUE_WIDENS_POLICY } from '../private/messages';
import { declarePolicy } from './private/declare-policy';
import { ImportedPolicy } from './private/imported-policy';

const REQUIRED = { cluster: CLUSTER };
const OPTIONAL = {
  document: POLICY_DOCUMENT,
  statements: list('a list of PolicyStatements', 'new PolicyStatement({...})'),
};

/** The properties of an ACL policy. */
export interface AclPolicyProps {
  /** The cluster to write the policy to. */
  readonly cluster: IVaultCluster;

  /**
   * The policy's name, in lower case. Another name is another policy.
   *
   * @default - the construct's path in lower case, its parts joined by `-`
   */
  readonly policyName?: string | undefined;

  /**
   * The namespace to write the policy to, within the namespace of the cluster.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string | undefined;

  /**
   * The policy's document. Statements that are added to the policy are added to it.
   *
   * @default - a new document, without statements
   */
  readonly document?: PolicyDocument | undefined;

  /**
   * Statements to add to the document.
   *
   * @default - none
   */
  readonly statements?: PolicyStatement[] | undefined;
}

/** Has Terraform check conditions before it writes the policy. */
function requireConditions(resource: TerraformResource, conditions: readonly string[]): void {
  if (conditions.length === 0) return;
  const { lifecycle } = resource;
  resource.lifecycle = {
    ...lifecycle,
    precondition: [
      ...(lifecycle?.precondition ?? []),
      ...conditions.map((condition) => ({ condition, errorMessage: LATE_VALUE_WIDENS_POLICY })),
    ],
  };
}

/** An ACL policy: what its tokens may do. Interface sections 2.2 and 4.2. */
export class AclPolicy extends Construct implements IAclPolicy {
  /** A policy that is on the cluster already, or that something else writes. */
  public static fromPolicyName(scope: Construct, id: string, policyName: string): IPolicy {
    return new ImportedPolicy(scope, id, policyName);
  }

  /** The cluster that the policy is written to. */
  public readonly cluster: IVaultCluster;

  public readonly namespace?: string;

  /** The policy's document. */
  public readonly document: PolicyDocument;

  /** The Terraform resource: `vault_policy`, or `vaultadmin_acl_policy`. */
  public readonly resource: TerraformResource;

  constructor(scope: Construct, id: string, props: AclPolicyProps) {
    super(scope, id);
    checkProps(`[${this.node.path}] AclPolicy`, props, REQUIRED, OPTIONAL);
    this.cluster = props.cluster;
    this.namespace = props.namespace;
    this.document = props.document ?? new PolicyDocument();
    this.document.addStatements(...(props.statements ?? []));

    const fields = () => ({ policy: this.document.render() });
    const pending = this.document._isOpen ? ['policy'] : [];
    const config = {
      ...declarePolicy(this, ACL_POLICY, props, fields, pending),
      policy: this.document._finalText,
    };

    this.resource =
      props.cluster.resources === VaultResources.VAULTADMIN
        ? new VaultadminAclPolicy(this, 'Resource', { ...config, cluster: props.cluster.name })
        : new UpstreamPolicy(this, 'Resource', config);
    asMainResource(this, this.resource);
    this.document._onConditions((conditions) => requireConditions(this.resource, conditions));
  }

  public get policyName(): string {
    return this.resource.getStringAttribute('name');
  }

  /**
   * Adds statements to the policy's document.
   *
   * @throws Error when the document was made from text.
   */
  public addStatements(...statements: PolicyStatement[]): void {
    this.document.addStatements(...statements);
  }
}
