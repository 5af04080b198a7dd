import type { TerraformResource } from 'cdktf';
import type { Construct } from 'constructs';
import { ResourceProvider, type IVaultCluster } from '../clusters/cluster';
import { VaultadminManagedKey } from '../private/bindings';
import { asArguments, asFields } from '../private/arguments';
import { blockArguments } from '../private/backend-settings';
import { declareObject } from '../clusters/private/declare-object';
import { defaultName } from '../clusters/private/written-objects';
import { checkConstructProps, CLUSTER, KEY_BACKEND, orElse } from '../private/expectations';
import { guardProps } from '../private/late-values';
import { asMainResource } from '../private/main-resource';
import { lateProps } from '../private/string-props';
import type { IManagedKey } from './key';
import { KeySpec } from './key-spec';
import { ManagedKeyBackend, type ManagedKeyType } from './managed-key-backend';
import { ImportedManagedKey } from './private/imported-managed-key';
import { ManagedKeyBase } from './private/managed-key-base';
import type { TestSign } from './test-sign';
import { describeFinding, MANAGED_KEY, MANAGED_KEY_BACKENDS, validateTestSign } from '../../src/model';
import { appNotation } from '../private/app-language';
import { whatIsKnown } from '../private/checks';
import { refuseConstruct } from '../private/report';

/** A use of a managed key. */
export enum ManagedKeyUsage {
  /** Encrypt data. */
  ENCRYPT = 'encrypt',
  /** Decrypt data. */
  DECRYPT = 'decrypt',
  /** Sign data, such as the certificates of a PKI mount. */
  SIGN = 'sign',
  /** Verify signatures. */
  VERIFY = 'verify',
  /** Encrypt other keys. */
  WRAP = 'wrap',
  /** Decrypt other keys. */
  UNWRAP = 'unwrap',
  /** Compute and verify message authentication codes. */
  MAC = 'mac',
  /** Generate random bytes. */
  RANDOM = 'random',
}

/** The properties of a managed key. */
export interface ManagedKeyProps {
  /** The cluster to write the key to. It requires Vault Enterprise. */
  readonly cluster: IVaultCluster;

  /**
   * The name of the key, in lower case. It is unique among the managed keys of all backends in the
   * namespace.
   *
   * A change of the name replaces the key.
   *
   * @default - the construct's path in lower case, its parts joined with `-`
   */
  readonly keyName?: string | undefined;

  /**
   * The namespace to write the key to, within the namespace of the cluster. Mounts can use the key
   * if they are in the same namespace.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string | undefined;

  /** The HSM or key-management service that holds the key. */
  readonly backend: ManagedKeyBackend;

  /**
   * The permitted uses of the key.
   *
   * @default - signing and verifying
   */
  readonly usages?: ManagedKeyUsage[] | undefined;

  /**
   * Whether the server may generate the key in the backend if it does not exist.
   *
   * @default false
   */
  readonly allowGenerateKey?: boolean | undefined;

  /**
   * Whether the server may replace a key that exists, by generating or importing one.
   *
   * @default false
   */
  readonly allowReplaceKey?: boolean | undefined;

  /**
   * Whether the server may store one of its own private keys in the backend.
   *
   * @default false
   */
  readonly allowStoreKey?: boolean | undefined;

  /**
   * Whether every mount in the namespace may use the key.
   *
   * @default - only mounts given to `allowOn` may use it
   */
  readonly anyMount?: boolean | undefined;

  /**
   * Makes Terraform test the key after each change, with a signature over random data.
   *
   * If the signature fails, the apply fails with the reason of the server, and the next apply tests
   * the key again.
   *
   * @default - the key is not tested
   */
  readonly testSign?: TestSign | undefined;
}

/** The attributes of a managed key to import. */
export interface ManagedKeyAttributes {
  /** The cluster that the key is on. */
  readonly cluster: IVaultCluster;

  /** The kind of backend that holds the key. */
  readonly backendType: ManagedKeyType;

  /** The name of the key. */
  readonly keyName: string;

  /**
   * The namespace that the key is in, within the namespace of the cluster.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string | undefined;
}

const REQUIRED = {
  cluster: CLUSTER,
  backend: orElse(KEY_BACKEND, () =>
    ManagedKeyBackend.awsKms({ kmsKey: 'alias/key', keySpec: KeySpec.rsa(2048) }),
  ),
};
const REFERENCE = 'fromManagedKeyAttributes';

/**
 * A managed key: a named reference to a key in an HSM or in a key-management service of a cloud.
 *
 * It is always a resource of the provider `vaultadmin`, whatever `resourceProvider` of the cluster
 * is: the resource of `hashicorp/vault` stores secrets in the state, and holds all keys of a
 * namespace.
 */
export class ManagedKey extends ManagedKeyBase {
  /** Imports a managed key that already exists, or that is managed elsewhere. */
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

  /** @throws Error for invalid properties, and for a secret in plain text. */
  constructor(scope: Construct, id: string, props: ManagedKeyProps) {
    super(scope, id);
    const usable = checkConstructProps(this, 'ManagedKey', 'ManagedKeyProps', props, REQUIRED);
    const { cluster, keyName: name = defaultName(this), namespace, backend, testSign, ...common } = usable;
    this.cluster = cluster;
    this.namespace = namespace;
    this._type = backend._type;
    this._literalName = name;

    const place = { cluster, name, namespace };
    const watch = declareObject(this, backend._settings, place, REFERENCE, asFields(common));
    if (testSign) checkTestSign(this, backend, name, testSign);
    this.resource = new VaultadminManagedKey(this, 'Resource', {
      provider: cluster.providerFor(this, ResourceProvider.VAULTADMIN),
      cluster: cluster.name,
      namespace,
      name,
      ...common,
      ...asArguments({ [backend._type]: blockArguments(backend._settings) }),
      // The framework drops a block without arguments, so one argument is always set.
      testSign: testSign && { ...testSign, onRefresh: testSign.onRefresh ?? false },
    });
    watch(this.resource);
    guardProps(this.resource, [...lateProps('ManagedKeyProps', usable), ...backend._settings.late]);
    asMainResource(this, this.resource);
  }

  /**
   * The UUID that the server gave to the key, known after the apply. A key that is replaced gets
   * another one.
   */
  public get uuid(): string {
    return this.resource.getStringAttribute('uuid');
  }

  /**
   * The name of the key: a reference to the Terraform resource, so that a resource that uses it is
   * created after the key.
   */
  public get keyName(): string {
    return this.resource.getStringAttribute('name');
  }
}

/** Refuses a test signature that the key cannot make. */
function checkTestSign(
  construct: Construct,
  { _type, _settings }: ManagedKeyBackend,
  name: string,
  testSign: TestSign,
): void {
  const key = MANAGED_KEY_BACKENDS[_type].keySpec(whatIsKnown(_settings.fields).known);
  const { known, unknown } = whatIsKnown(asFields(testSign));
  const problems = validateTestSign(known, key, unknown).map(
    (found) =>
      describeFinding(MANAGED_KEY, name, { ...found, field: `test_sign.${found.field}` }, appNotation()).line,
  );
  refuseConstruct(construct, problems);
}
