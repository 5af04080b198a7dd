import type { TerraformResource } from 'cdktf';
import type { Construct } from 'constructs';
import { EGP_POLICY } from '../../src/model';
import { ResourceProvider, type IVaultCluster } from '../clusters/cluster';
import { UpstreamEgpPolicy, VaultadminEgpPolicy } from '../private/bindings';
import type { IPolicy } from './policy';
import { guardProps } from '../private/late-values';
import { lateProps } from '../private/string-props';
import {
  checkConstructProps,
  CLUSTER,
  LEVEL,
  list,
  orElse,
  SENTINEL_DOCUMENT,
} from '../private/expectations';
import { checkAtSynthesis } from '../private/report';
import { declarePolicy, refuseNewerSentinel } from './private/declare-policy';
import { ReleasedPolicy } from './private/released-policy';
import { ImportedPolicy } from './private/imported-policy';
import { lockOutProblems } from './private/lock-out';
import { PolicyBase } from './private/policy-base';
import { SentinelDocument, type EnforcementLevel } from './sentinel-document';

const REQUIRED = {
  cluster: CLUSTER,
  document: orElse(SENTINEL_DOCUMENT, () => SentinelDocument.fromText('main = rule { true }')),
  enforcementLevel: LEVEL,
  paths: orElse(list('a list of paths', "'secret/data/app/*'"), () => ['secret/data/app/*']),
};

/** The properties of an endpoint governing policy. */
export interface EgpPolicyProps {
  /** The cluster to write the policy to. It requires Vault Enterprise with Sentinel. */
  readonly cluster: IVaultCluster;

  /**
   * The name of the policy, in lower case.
   *
   * A change of the name replaces the policy.
   *
   * @default - the construct's path in lower case, its parts joined with `-`
   */
  readonly policyName?: string | undefined;

  /**
   * The namespace to write the policy to, within the namespace of the cluster.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string | undefined;

  /** The policy's document, in the Sentinel language. */
  readonly document: SentinelDocument;

  /** How strictly the policy is enforced. */
  readonly enforcementLevel: EnforcementLevel;

  /**
   * The paths that the policy applies to, without a leading slash.
   *
   * A `*` at the end matches any suffix; `*` alone matches every request, logins included. A value
   * that only Terraform knows is one or more whole segments, or a part of one, unless it comes from
   * `PolicyStatement.pattern`.
   */
  readonly paths: string[];

  /**
   * The name of this policy: confirms that it may refuse requests that Terraform itself makes, such
   * as logins and reads of policies. Without it, a hard-mandatory policy that refuses such requests
   * is an error in the plan. With the resources of hashicorp/vault, it is an error at synthesis,
   * where not all of these requests are known.
   *
   * @default - not confirmed
   */
  readonly confirmLockOut?: string | undefined;
}

/** An endpoint governing policy (EGP): a Sentinel policy tied to paths. */
export class EgpPolicy extends PolicyBase implements IPolicy {
  /**
   * Imports an EGP policy that already exists, or that is managed elsewhere.
   *
   * @param policyName the name of the policy.
   */
  public static fromPolicyName(scope: Construct, id: string, policyName: string): IPolicy {
    return new ImportedPolicy(scope, id, policyName);
  }

  /**
   * Releases an EGP policy that this stack declared with the same scope and id, so that another
   * stack can take it over: it leaves the state, and is not deleted. Write this call in place of
   * the declaration until the change is applied.
   *
   * @param cluster the cluster of the policy.
   */
  public static release(scope: Construct, id: string, cluster: IVaultCluster): void {
    new ReleasedPolicy(scope, id, cluster, 'egp_policy');
  }

  /** The cluster that the policy is written to. */
  public readonly cluster: IVaultCluster;

  /** The namespace of the policy, within the namespace of its cluster. */
  public readonly namespace?: string;

  /** The Terraform resource: `vault_egp_policy`, or `vaultadmin_egp_policy`. */
  public readonly resource: TerraformResource;

  /** @internal */
  public readonly _literalName: string;

  /** @throws Error for invalid properties. */
  constructor(scope: Construct, id: string, props: EgpPolicyProps) {
    super(scope, id);
    const usable = checkConstructProps(this, 'EgpPolicy', 'EgpPolicyProps', props, REQUIRED);
    this.cluster = usable.cluster;
    this.namespace = usable.namespace;
    const policy = usable.document.render();
    const { enforcementLevel, paths, confirmLockOut } = usable;

    const fields = () => ({ policy, enforcement_level: enforcementLevel, paths });
    const config = { ...declarePolicy(this, EGP_POLICY, usable, fields), policy, enforcementLevel, paths };
    refuseNewerSentinel(this, EGP_POLICY, config, usable);

    const resource =
      usable.cluster.resourceProvider === ResourceProvider.VAULTADMIN
        ? new VaultadminEgpPolicy(this, 'Resource', {
            ...config,
            cluster: usable.cluster.name,
            ...(confirmLockOut !== undefined && { confirmLockOut }),
          })
        : new UpstreamEgpPolicy(this, 'Resource', config);
    this.resource = resource;
    this._literalName = config.name;
    this._complete(resource, 'vault_egp_policy', () => policy);
    guardProps(resource, lateProps('EgpPolicyProps', usable));

    const { name, namespace = '' } = config;
    const egp = { name, namespace, policy, enforcementLevel, paths };
    if (usable.cluster.resourceProvider === ResourceProvider.UPSTREAM && confirmLockOut !== name) {
      checkAtSynthesis(this, () => lockOutProblems(this, egp));
    }
  }
}
