import { Fn, Token } from 'cdktf';
import { Construct } from 'constructs';
import {
  MANAGED_KEY_BACKENDS,
  normalizeNamespace,
  objectTitle,
  type ManagedKeyTypeName,
} from '../../../src/model';
import { accessFor, MANAGED_KEY_CALLS, managing, type ApiCall } from '../../../src/model/access';
import type { IVaultCluster } from '../../clusters/cluster';
import type { Grant } from '../../policies/grant';
import type { IAclPolicy } from '../../policies/policy';
import { mountElsewhere } from '../../private/messages';
import { refuseConstruct } from '../../private/report';
import { checkProps, MOUNT } from '../../private/expectations';
import { grant } from '../../policies/private/grant';
import { isUnknown } from '../../private/known';
import { oneSegment } from '../../private/late-values';
import type { IManagedKey, IManagedKeyMount } from '../key';

/**
 * The functions of a managed key, whether the app or something else writes it.
 *
 * @internal
 */
export abstract class ManagedKeyBase extends Construct implements IManagedKey {
  public abstract readonly cluster: IVaultCluster;
  public abstract readonly keyName: string;
  public abstract readonly namespace?: string;

  /** @internal */
  public abstract get _type(): ManagedKeyTypeName;

  /**
   * The name as a literal: using it does not make a resource wait for the key.
   *
   * @internal
   */
  public abstract get _literalName(): string;

  /**
   * The mounts that list the key. A mount's list cannot be searched for the key, because each token
   * for the key's name is different.
   */
  private readonly mounts = new Set<IManagedKeyMount>();

  public allowOn(mount: IManagedKeyMount): void {
    checkProps(`[${this.node.path}] allowOn`, { mount }, { mount: MOUNT });
    this.requireSameNamespace(mount);
    if (this.mounts.has(mount)) return;
    this.mounts.add(mount);
    const listed = mount.allowedManagedKeysInput ?? [];
    mount.allowedManagedKeys = Token.isUnresolved(listed)
      ? Fn.distinct(Fn.concat([listed, [this.keyName]]) as string[])
      : [...listed, this.keyName];
  }

  public grantRead(policy: IAclPolicy): Grant {
    return this.grantCalls(policy, 'Read', [MANAGED_KEY_CALLS.read]);
  }

  public grantManage(policy: IAclPolicy): Grant {
    return this.grantCalls(policy, 'Manage', [...managing(MANAGED_KEY_CALLS), MANAGED_KEY_CALLS.testSign]);
  }

  public grantTestSign(policy: IAclPolicy): Grant {
    return this.grantCalls(policy, 'Sign test data with', [MANAGED_KEY_CALLS.testSign]);
  }

  private get definition() {
    return MANAGED_KEY_BACKENDS[this._type].definition;
  }

  private grantCalls(policy: IAclPolicy, what: string, calls: readonly ApiCall[]): Grant {
    const access = accessFor(calls, { type: this._type, name: oneSegment(this._literalName) });
    const purpose = `${what} the ${objectTitle(this.definition, this._literalName)}.`;
    return grant(this, policy, purpose, access);
  }

  private requireSameNamespace(mount: IManagedKeyMount): void {
    const ours = normalizeNamespace(this.namespace);
    const theirs = normalizeNamespace(mount.namespaceInput);
    if (isUnknown(ours) || isUnknown(theirs) || ours === theirs) return;
    refuseConstruct(mount, [mountElsewhere(objectTitle(this.definition, this._literalName), ours, theirs)]);
  }
}
