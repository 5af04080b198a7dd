import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import { AUTO_SNAPSHOT, objectTitle, SNAPSHOT_STATUS_PATH } from '../../../src/model';
import { VaultResources, type IVaultCluster } from '../../clusters/cluster';
import type { IAclPolicy } from '../../policies/policy';
import { Capability } from '../../policies/policy-statement';
import { grant, type Grant } from '../../private/grant';
import type { IAutoSnapshot, SnapshotHealthCheckProps } from '../snapshot';
import { HealthCheck } from './health-check';

/**
 * What a configuration can be used for, whoever writes it.
 *
 * @internal
 */
export abstract class AutoSnapshotBase extends Construct implements IAutoSnapshot {
  public abstract readonly cluster: IVaultCluster;
  public abstract readonly snapshotName: string;
  public abstract readonly namespace?: string;

  public healthCheck(props: SnapshotHealthCheckProps = {}): void {
    new HealthCheck(this, 'Health', {
      provider: this.cluster.providerFor(this, VaultResources.VAULTADMIN),
      cluster: this.cluster.name,
      namespace: this.namespace,
      name: this._literalName,
      ...this._known,
      ...props,
    });
  }

  public grantRead(policy: IAclPolicy): void {
    this.grant(policy, 'Read', [this.onConfiguration(Capability.READ)]);
  }

  public grantManage(policy: IAclPolicy): void {
    const { READ, UPDATE, DELETE } = Capability;
    this.grant(policy, 'Manage', [this.onConfiguration(READ, UPDATE, DELETE)]);
  }

  public grantReadStatus(policy: IAclPolicy): void {
    const path = `${SNAPSHOT_STATUS_PATH}/${this._literalName}`;
    this.grant(policy, 'Read the status of', [{ path, capabilities: [Capability.READ] }]);
  }

  /**
   * The name itself: what holds it does not wait for the configuration.
   *
   * @internal
   */
  public abstract get _literalName(): string;

  /**
   * What is known of the configuration, so that a health check need not ask for it.
   *
   * @internal
   */
  public abstract get _known(): { readonly interval?: string; readonly dependsOn?: ITerraformDependable[] };

  private onConfiguration(...capabilities: Capability[]): Grant {
    return {
      path: `${AUTO_SNAPSHOT.path}/${this._literalName}`,
      capabilities: [...capabilities, Capability.SUDO],
    };
  }

  private grant(policy: IAclPolicy, what: string, grants: readonly Grant[]): void {
    grant(policy, this.namespace, `${what} the ${objectTitle(AUTO_SNAPSHOT, this._literalName)}.`, grants);
  }
}
