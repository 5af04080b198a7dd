import type { TerraformResource } from 'cdktf';
import type { Construct } from 'constructs';
import { VaultResources, type IVaultCluster } from '../clusters/cluster';
import { ManagedKey as VaultadminManagedKey } from '../generated/providers/vaultadmin/managed-key';
import { asArguments, asFields } from '../private/arguments';
import { blockArguments } from '../private/backend-settings';
import { declareObject } from '../private/declare-object';
import { defaultName } from '../private/default-name';
import { checkProps, CLUSTER, KEY_BACKEND } from '../private/expectations';
import { asMainResource } from '../private/main-resource';
import type { IManagedKey } from './key';
import type { ManagedKeyBackend, ManagedKeyType } from './managed-key-backend';
import type { ManagedKeyUsage } from './managed-key-usage';
import { checkTestSign } from './private/check-test-sign';
import { ImportedManagedKey } from './private/imported-managed-key';
import { ManagedKeyBase } from './private/managed-key-base';
import type { TestSign } from './test-sign';

export interface ManagedKeyProps {
  /** The cluster to write the key to. It needs an enterprise edition. */
  readonly cluster: IVaultCluster;

  /**
   * The key's name, in lower case, unique among the managed keys of all backends in the namespace. Another name is
   * another key.
   *
   * @default - the construct's path in lower case, its parts joined by `-`
   */
  readonly keyName?: string | undefined;

  /**
   * The namespace to write the key to, within the namespace of the cluster. The mounts that use it have to be there.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string | undefined;

  /** Where the key itself is kept. */
  readonly backend: ManagedKeyBackend;

  /**
   * What the key may be used for.
   *
   * @default - to sign and to verify
   */
  readonly usages?: ManagedKeyUsage[] | undefined;

  /**
   * Lets the server generate the key in the backend when none is found there.
   *
   * @default false
   */
  readonly allowGenerateKey?: boolean | undefined;

  /**
   * Lets the server replace the key, by generating or importing one, even if one exists.
   *
   * @default false
   */
  readonly allowReplaceKey?: boolean | undefined;

  /**
   * Lets the server store one of its own private keys in the backend.
   *
   * @default false
   */
  readonly allowStoreKey?: boolean | undefined;

  /**
   * Lets every mount in the namespace use the key.
   *
   * @default - only mounts that list the key, which `allowOn` sees to
   */
  readonly anyMount?: boolean | undefined;

  /**
   * Has Terraform try the key after each change, with a signature over random data. An apply that finds the
   * configuration not working fails with the server's reason, and the next apply tries again.
   *
   * @default - the key is not tried
   */
  readonly testSign?: TestSign | undefined;
}

/** Which key is meant, of those that something else writes. */
export interface ManagedKeyAttributes {
  /** The cluster that the key is on. */
  readonly cluster: IVaultCluster;

  /** The key's backend. */
  readonly backendType: ManagedKeyType;

  /** The key's name. */
  readonly keyName: string;

  /**
   * The namespace that the key is in, within the namespace of the cluster.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string | undefined;
}

const NAMING = { prop: 'keyName', reference: 'fromManagedKeyAttributes' };

/**
 * A managed key: a named reference to a key in an HSM or a cloud's key-management service. Interface sections 2.1
 * and 4.1.
 *
 * It is a resource of `vaultadmin`, whatever the switch of the cluster says: the one of `hashicorp/vault` keeps secrets
 * in its state, and all keys of a namespace in one resource.
 */
export class ManagedKey extends ManagedKeyBase {
  /** A key that is on the cluster already, or that something else writes. */
  public static fromManagedKeyAttributes(
    scope: Construct,
    id: string,
    attributes: ManagedKeyAttributes,
  ): IManagedKey {
    return new ImportedManagedKey(scope, id, attributes);
  }

  public readonly cluster: IVaultCluster;
  public readonly namespace?: string;

  /** The Terraform resource: `vaultadmin_managed_key`. */
  public readonly resource: TerraformResource;

  /** @internal */
  public readonly _type: ManagedKeyType;

  /** @internal */
  public readonly _literalName: string;

  /** @throws Error for what is known to be wrong, and for a secret in plain text. */
  constructor(scope: Construct, id: string, props: ManagedKeyProps) {
    super(scope, id);
    checkProps(`[${this.node.path}] ManagedKey`, props, { cluster: CLUSTER, backend: KEY_BACKEND });
    const { cluster, keyName: name = defaultName(this), namespace, backend, testSign, ...common } = props;
    this.cluster = cluster;
    this.namespace = namespace;
    this._type = backend._type;
    this._literalName = name;

    const place = { cluster, name, namespace };
    const watch = declareObject(this, backend._settings, place, NAMING, asFields(common));
    if (testSign) checkTestSign(this, backend, name, testSign);
    this.resource = new VaultadminManagedKey(this, 'Resource', {
      provider: cluster.providerFor(this, VaultResources.VAULTADMIN),
      cluster: cluster.name,
      namespace,
      name,
      ...common,
      ...asArguments({ [backend._type]: blockArguments(backend._settings) }),
      // A block without any argument would be lost.
      testSign: testSign && { ...testSign, onRefresh: testSign.onRefresh ?? false },
    });
    watch(this.resource, false);
    asMainResource(this, this.resource);
  }

  /** The id that the server gave the key. Another id is another key, though it may have the same name. */
  public get uuid(): string {
    return this.resource.getStringAttribute('uuid');
  }

  public get keyName(): string {
    return this.resource.getStringAttribute('name');
  }
}
