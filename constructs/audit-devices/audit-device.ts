import type { TerraformResource } from 'cdktf';
import type { Construct } from 'constructs';
import { encodeAuditDevice } from '../../src/model';
import { ResourceProvider, type IVaultCluster } from '../clusters/cluster';
import { UpstreamAudit, VaultadminAuditDevice, type AuditDeviceConfig } from '../private/bindings';
import { asArguments, asFields } from '../private/arguments';
import { blockArguments } from '../private/backend-settings';
import { moveFromUpstream } from '../clusters/private/moved-from-upstream';
import { declareObject } from '../clusters/private/declare-object';
import { defaultName } from '../clusters/private/written-objects';
import { AUDIT_LOG, checkConstructProps, CLUSTER, orElse } from '../private/expectations';
import { guardProps } from '../private/late-values';
import { asMainResource } from '../private/main-resource';
import { lateProps } from '../private/string-props';
import { AuditLog } from './audit-log';
import type { IAuditDevice } from './device';
import { AuditDeviceBase } from './private/audit-device-base';
import { ImportedAuditDevice } from './private/imported-audit-device';

/** The format of the entries of an audit device. */
export enum AuditFormat {
  /** One JSON object for each entry. */
  JSON = 'json',
  /** XML. */
  JSONX = 'jsonx',
}

/** The properties of an audit device. A change of any of them replaces the device. */
export interface AuditDeviceProps {
  /** The cluster whose requests are logged. */
  readonly cluster: IVaultCluster;

  /** Where the entries are written. */
  readonly log: AuditLog;

  /**
   * The path that the device is enabled at.
   *
   * @default - the construct's path in lower case, its parts joined with `-`
   */
  readonly path?: string | undefined;

  /**
   * The namespace to enable the device in, within the namespace of the cluster.
   *
   * Servers accept it in the root namespace only, hosted ones in their administrative namespace.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string | undefined;

  /**
   * A description, for people.
   *
   * @default - none
   */
  readonly description?: string | undefined;

  /**
   * Whether the device stays on this cluster: replication neither copies nor removes it.
   *
   * @default false
   */
  readonly local?: boolean | undefined;

  /**
   * The format of the entries.
   *
   * @default AuditFormat.JSON
   */
  readonly format?: AuditFormat | undefined;

  /**
   * The text to write before every entry.
   *
   * @default - none
   */
  readonly prefix?: string | undefined;

  /**
   * Whether sensitive values are logged in plain text. Use it for tests only.
   *
   * @default false
   */
  readonly logRaw?: boolean | undefined;

  /**
   * Whether token accessors are hashed.
   *
   * @default true
   */
  readonly hmacAccessor?: boolean | undefined;

  /**
   * Whether the number of entries of a list response is logged instead of the entries.
   *
   * @default false
   */
  readonly elideListResponses?: boolean | undefined;

  /**
   * The expression that selects the entries to log, such as `mount_type == "kv"`.
   *
   * Requires Vault Enterprise 1.16.
   *
   * @default - all entries
   */
  readonly filter?: string | undefined;

  /**
   * Whether the device logs the entries that the filters of all other devices leave out.
   *
   * Requires Vault Enterprise 1.16.
   *
   * @default false
   */
  readonly fallback?: boolean | undefined;

  /**
   * The parts to leave out of entries, as a JSON array of objects with `fields` and, optionally,
   * `condition`.
   *
   * Requires Vault Enterprise 1.18.
   *
   * @default - nothing
   */
  readonly exclude?: string | undefined;
}

/** The attributes of an audit device to import. */
export interface AuditDeviceAttributes {
  /** The cluster whose requests are logged. */
  readonly cluster: IVaultCluster;

  /** The path that the device is enabled at. */
  readonly path: string;

  /**
   * The namespace that the device is enabled in, within the namespace of the cluster.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string | undefined;
}

const REQUIRED = { cluster: CLUSTER, log: orElse(AUDIT_LOG, () => AuditLog.syslog()) };
const REFERENCE = 'fromAuditDeviceAttributes';

/**
 * An audit device: it logs every request and every response.
 *
 * Servers cannot change an audit device, so that every change replaces it.
 */
export class AuditDevice extends AuditDeviceBase {
  /** Imports an audit device that is enabled already, or that is managed elsewhere. */
  public static fromAuditDeviceAttributes(
    scope: Construct,
    id: string,
    attributes: AuditDeviceAttributes,
  ): IAuditDevice {
    return new ImportedAuditDevice(scope, id, attributes);
  }

  /** The cluster whose requests are logged. */
  public readonly cluster: IVaultCluster;

  /** The namespace that the device is enabled in, within the namespace of the cluster. */
  public readonly namespace?: string;

  /** The Terraform resource: `vault_audit`, or `vaultadmin_audit_device`. */
  public readonly resource: TerraformResource;

  /** @internal */
  public readonly _literalPath: string;

  /** @throws Error for invalid properties. */
  constructor(scope: Construct, id: string, props: AuditDeviceProps) {
    super(scope, id);
    const usable = checkConstructProps(this, 'AuditDevice', 'AuditDeviceProps', props, REQUIRED);
    const { cluster, namespace, description, local, log, path = defaultName(this), ...options } = usable;
    this.cluster = cluster;
    this.namespace = namespace;
    this._literalPath = path;

    const fields = { path, ...asFields({ description, local, ...options }) };
    declareObject(this, log._settings, { cluster, name: path, namespace }, REFERENCE, fields);

    const { type, block } = log._backend;
    const common = { provider: cluster.providerFor(this), path, namespace, description, local };
    const encoded = encodeAuditDevice({ type, ...asFields(options), ...log._settings.fields });
    this.resource =
      cluster.resourceProvider === ResourceProvider.VAULTADMIN
        ? new VaultadminAuditDevice(this, 'Resource', {
            ...common,
            cluster: cluster.name,
            ...options,
            ...asArguments({ [block]: blockArguments(log._settings) }),
          } satisfies AuditDeviceConfig)
        : new UpstreamAudit(this, 'Resource', { ...common, type, options: optionsIn(encoded) });
    guardProps(this.resource, [...lateProps('AuditDeviceProps', usable), ...log._settings.late]);
    asMainResource(this, this.resource);
    moveFromUpstream(this.resource, cluster, 'vault_audit');
  }

  /**
   * The path that the device is enabled at: a reference to the Terraform resource, so that a
   * resource that uses it is created after it.
   */
  public get path(): string {
    return this.resource.getStringAttribute('path');
  }
}

function optionsIn({ options }: ReturnType<typeof encodeAuditDevice>): { [name: string]: string } {
  const given = typeof options === 'object' && options !== null ? Object.entries(options) : [];
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
