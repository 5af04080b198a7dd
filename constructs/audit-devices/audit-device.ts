import { Audit } from '@cdktf/provider-vault/lib/audit';
import type { TerraformResource } from 'cdktf';
import { Construct } from 'constructs';
import { encodeAuditDevice } from '../../src/model';
import { VaultResources, type IVaultCluster } from '../clusters/cluster';
import {
  AuditDevice as VaultadminAuditDevice,
  type AuditDeviceConfig,
} from '../generated/providers/vaultadmin/audit-device';
import { asArguments } from '../private/arguments';
import { blockArguments } from '../private/backend-settings';
import { declareObject } from '../private/declare-object';
import { defaultName } from '../private/default-name';
import { asMainResource } from '../private/main-resource';
import type { AuditLog } from './audit-log';

export interface AuditDeviceProps {
  /** The cluster whose requests are logged. */
  readonly cluster: IVaultCluster;

  /** Where the entries are written to. */
  readonly log: AuditLog;

  /**
   * The path that the device is enabled at. Another path is another device.
   *
   * @default - the construct's path in lower case, its parts joined by `-`
   */
  readonly path?: string;

  /**
   * The namespace to enable the device in, within the namespace of the cluster. Servers take it in the root namespace
   * only, hosted ones in their administrative namespace.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string;

  /**
   * A description, for people.
   *
   * @default - none
   */
  readonly description?: string;

  /**
   * Keeps the device on this cluster: replication neither copies nor removes it.
   *
   * @default false
   */
  readonly local?: boolean;

  /**
   * Text to write before every entry.
   *
   * @default - none
   */
  readonly prefix?: string;

  /**
   * Logs sensitive values in plain text. Only for testing.
   *
   * @default false
   */
  readonly logRaw?: boolean;

  /**
   * Hashes token accessors.
   *
   * @default true
   */
  readonly hmacAccessor?: boolean;

  /**
   * Logs the number of entries of a list response, instead of the entries.
   *
   * @default false
   */
  readonly elideListResponses?: boolean;
}

const NAMING = { prop: 'path', reference: 'its path' };

/**
 * An audit device: it logs every request and every response. It cannot be updated: a change replaces it.
 */
export class AuditDevice extends Construct {
  /** The cluster whose requests are logged. */
  public readonly cluster: IVaultCluster;

  /** The namespace that the device is enabled in, within the namespace of the cluster. */
  public readonly namespace?: string;

  /** The Terraform resource: `vault_audit`, or `vaultadmin_audit_device`. */
  public readonly resource: TerraformResource;

  /** @throws Error if a property is known to be wrong. */
  constructor(scope: Construct, id: string, props: AuditDeviceProps) {
    super(scope, id);
    const { cluster, namespace, description, local, log, path = defaultName(this) } = props;
    this.cluster = cluster;
    this.namespace = namespace;

    const options = {
      prefix: props.prefix,
      log_raw: props.logRaw,
      hmac_accessor: props.hmacAccessor,
      elide_list_responses: props.elideListResponses,
    };
    const fields = { path, description, local, ...options };
    declareObject(this, log._settings, { cluster, name: path, namespace }, NAMING, fields);

    const { type, block } = log._backend;
    const common = { provider: cluster.providerFor(this), path, namespace, description, local };
    const encoded = encodeAuditDevice({ type, ...options, ...log._settings.fields });
    this.resource =
      cluster.resources === VaultResources.VAULTADMIN
        ? new VaultadminAuditDevice(this, 'Resource', {
            ...common,
            cluster: cluster.name,
            ...asArguments({ ...options, [block]: blockArguments(log._settings) }),
          } satisfies AuditDeviceConfig)
        : new Audit(this, 'Resource', { ...common, type, options: optionsIn(encoded) });
    asMainResource(this, this.resource);
  }

  /** The path that the device is enabled at. */
  public get path(): string {
    return this.resource.getStringAttribute('path');
  }
}

function optionsIn({ options }: ReturnType<typeof encodeAuditDevice>): { [name: string]: string } {
  const given = typeof options === 'object' && options !== null ? Object.entries(options) : [];
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
