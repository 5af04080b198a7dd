import type { Construct } from 'constructs';
import type { ManagedKeyTypeName } from '../../../src/model';
import type { IVaultCluster } from '../../clusters/cluster';
import { checkConstructProps, CLUSTER, KEY_TYPE, text } from '../../private/expectations';
import { ManagedKeyBase } from './managed-key-base';

const REQUIRED = { cluster: CLUSTER, backendType: KEY_TYPE, keyName: text('text', "'signing'") };

/** A managed key that something else writes. */
export class ImportedManagedKey extends ManagedKeyBase {
  public readonly cluster: IVaultCluster;
  public readonly keyName: string;
  public readonly namespace?: string;

  /** @internal */
  public readonly _type: ManagedKeyTypeName;

  constructor(
    scope: Construct,
    id: string,
    attributes: {
      readonly cluster: IVaultCluster;
      readonly backendType: ManagedKeyTypeName;
      readonly keyName: string;
      readonly namespace?: string;
    },
  ) {
    super(scope, id);
    const usable = checkConstructProps(
      this,
      'ManagedKey.fromManagedKeyAttributes',
      'ManagedKeyAttributes',
      attributes,
      REQUIRED,
    );
    this.cluster = usable.cluster;
    this.keyName = usable.keyName;
    this.namespace = usable.namespace;
    this._type = usable.backendType;
  }

  public get _literalName(): string {
    return this.keyName;
  }
}
