import { Construct } from 'constructs';
import { AUDIT_DEVICE, objectTitle } from '../../../src/model';
import { accessFor, AUDIT_HASH_CALL } from '../../../src/model/access';
import type { IVaultCluster } from '../../clusters/cluster';
import type { Grant } from '../../policies/grant';
import type { IAclPolicy } from '../../policies/policy';
import { grant } from '../../policies/private/grant';
import type { IAuditDevice } from '../device';
import { trimmedEnd } from '../../../src/text';

/**
 * The functions of an audit device, whether the app or something else enables it.
 *
 * @internal
 */
export abstract class AuditDeviceBase extends Construct implements IAuditDevice {
  public abstract readonly cluster: IVaultCluster;
  public abstract readonly path: string;
  public abstract readonly namespace?: string;

  /**
   * The path as a literal: using it does not make a resource wait for the device.
   *
   * @internal
   */
  public abstract get _literalPath(): string;

  public grantHash(policy: IAclPolicy): Grant {
    const path = trimmedEnd(this._literalPath, '/');
    const purpose = `Hash values as the ${objectTitle(AUDIT_DEVICE, path)} does.`;
    return grant(this, policy, purpose, accessFor([AUDIT_HASH_CALL], { path }));
  }
}
