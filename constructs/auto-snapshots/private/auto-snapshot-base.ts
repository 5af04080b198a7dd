import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import { AUTO_SNAPSHOT, objectTitle } from '../../../src/model';
import { accessFor, AUTO_SNAPSHOT_CALLS, managing, type ApiCall } from '../../../src/model/access';
import { ResourceProvider, type IVaultCluster } from '../../clusters/cluster';
import type { Grant } from '../../policies/grant';
import type { IAclPolicy } from '../../policies/policy';
import { grant } from '../../policies/private/grant';
import type { IAutoSnapshot, SnapshotHealthCheckProps } from '../snapshot';
import { checkConstructProps } from '../../private/expectations';
import { oneSegment } from '../../private/late-values';
import { HealthCheck } from './health-check';

/**
 * The functions of a configuration of snapshots, whether the app or something else writes it.
 *
 * @internal
 */
export abstract class AutoSnapshotBase extends Construct implements IAutoSnapshot {
  public abstract readonly cluster: IVaultCluster;
  public abstract readonly snapshotName: string;
  public abstract readonly namespace?: string;

  public addHealthCheck(props: SnapshotHealthCheckProps = {}): void {
    const usable = checkConstructProps(this, 'addHealthCheck', 'SnapshotHealthCheckProps', props, {});
    new HealthCheck(this, 'Health', {
      provider: this.cluster.providerFor(this, ResourceProvider.VAULTADMIN),
      cluster: this.cluster.name,
      namespace: this.namespace,
      name: this._literalName,
      ...this._known,
      ...usable,
    });
  }

  public grantRead(policy: IAclPolicy): Grant {
    return this.grantCalls(policy, 'Read', [AUTO_SNAPSHOT_CALLS.read]);
  }

  public grantManage(policy: IAclPolicy): Grant {
    return this.grantCalls(policy, 'Manage', managing(AUTO_SNAPSHOT_CALLS));
  }

  public grantReadStatus(policy: IAclPolicy): Grant {
    return this.grantCalls(policy, 'Read the status of', [AUTO_SNAPSHOT_CALLS.status]);
  }

  /**
   * The name as a literal: using it does not make a resource wait for the configuration.
   *
   * @internal
   */
  public abstract get _literalName(): string;

  /**
   * The known facts of the configuration, which a health check does not have to read.
   *
   * @internal
   */
  public abstract get _known(): { readonly interval?: string; readonly dependsOn?: ITerraformDependable[] };

  private grantCalls(policy: IAclPolicy, what: string, calls: readonly ApiCall[]): Grant {
    const access = accessFor(calls, { name: oneSegment(this._literalName) });
    const purpose = `${what} the ${objectTitle(AUTO_SNAPSHOT, this._literalName)}.`;
    return grant(this, policy, purpose, access);
  }
}
