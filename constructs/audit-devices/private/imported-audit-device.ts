import type { Construct } from 'constructs';
import type { IVaultCluster } from '../../clusters/cluster';
import { checkConstructProps, CLUSTER, text } from '../../private/expectations';
import { AuditDeviceBase } from './audit-device-base';

const REQUIRED = { cluster: CLUSTER, path: text('text', "'file'") };

/** An audit device that something else enables. */
export class ImportedAuditDevice extends AuditDeviceBase {
  public readonly cluster: IVaultCluster;
  public readonly path: string;
  public readonly namespace?: string;

  constructor(
    scope: Construct,
    id: string,
    attributes: { readonly cluster: IVaultCluster; readonly path: string; readonly namespace?: string },
  ) {
    super(scope, id);
    const usable = checkConstructProps(
      this,
      'AuditDevice.fromAuditDeviceAttributes',
      'AuditDeviceAttributes',
      attributes,
      REQUIRED,
    );
    this.cluster = usable.cluster;
    this.path = usable.path;
    this.namespace = usable.namespace;
  }

  public get _literalPath(): string {
    return this.path;
  }
}
