import { Fn, type IResolvable } from 'cdktf';
import type { Construct } from 'constructs';
import { AUTO_SNAPSHOT, objectTitle } from '../../../src/model';
import {
  DataVaultadminAutoSnapshotStatus,
  type DataVaultadminAutoSnapshotStatusConfig,
} from '../../private/bindings';
import { addressAs } from '../../private/main-resource';

interface CheckBlock {
  readonly data: unknown;
  readonly assert: readonly [{ readonly condition: IResolvable; readonly error_message: string }];
}

/** A data source within a `check` block, which the framework has no construct for. */
export class HealthCheck extends DataVaultadminAutoSnapshotStatus {
  constructor(snapshot: Construct, id: string, config: DataVaultadminAutoSnapshotStatusConfig) {
    super(snapshot, id, config);
    addressAs(snapshot, this);
  }

  public override toTerraform(): { check: Record<string, CheckBlock> } {
    const { data } = super.toTerraform() as { data: unknown };
    const problems = Fn.join('; ', this.problems);
    const assertion = {
      condition: this.healthy,
      error_message: `${objectTitle(AUTO_SNAPSHOT, this.nameInput)} is not healthy: ${problems}`,
    };
    return { check: { [this.friendlyUniqueId]: { data, assert: [assertion] } } };
  }
}
