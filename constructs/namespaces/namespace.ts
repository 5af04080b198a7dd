import type { TerraformResource } from 'cdktf';
import { Construct } from 'constructs';
import { NAMESPACE, objectTitle } from '../../src/model';
import { ResourceProvider, type IVaultCluster } from '../clusters/cluster';
import { recordWriter, defaultName } from '../clusters/private/written-objects';
import { moveFromUpstream } from '../clusters/private/moved-from-upstream';
import { VaultadminNamespace } from '../private/bindings';
import { asFields } from '../private/arguments';
import { namespaceProblems, problemsOf } from '../private/checks';
import { checkConstructProps, CLUSTER } from '../private/expectations';
import { isUnknown } from '../private/known';
import { guardProps } from '../private/late-values';
import { asMainResource } from '../private/main-resource';
import { refuseConstruct } from '../private/report';
import { lateProps } from '../private/string-props';

/** The properties of a namespace. */
export interface NamespaceProps {
  /** The cluster to create the namespace on. */
  readonly cluster: IVaultCluster;

  /**
   * The name of the namespace, without slashes.
   *
   * A change of the name replaces the namespace.
   *
   * @default - the construct's path in lower case, its parts joined with `-`
   */
  readonly path?: string | undefined;

  /**
   * The namespace to create it in, within the namespace of the cluster. For a namespace of this
   * app, pass its `pathFq`.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string | undefined;

  /**
   * Texts by name that describe the namespace.
   *
   * Requires Vault Enterprise 1.12.
   *
   * @default - none
   */
  readonly customMetadata?: { readonly [name: string]: string } | undefined;

  /**
   * Whether a destroy deletes the namespace with everything in it. Otherwise a destroy is refused
   * while the namespace contains anything. A destroy never deletes namespaces within it.
   *
   * @default false
   */
  readonly forceDestroy?: boolean | undefined;
}

/**
 * A namespace of Vault Enterprise.
 *
 * It becomes `vaultadmin_namespace` with both values of `resourceProvider`, because
 * `hashicorp/vault` deletes a namespace with everything in it.
 */
export class Namespace extends Construct {
  /** The cluster that the namespace is created on. */
  public readonly cluster: IVaultCluster;

  /** The namespace that it is created in, within the namespace of the cluster. */
  public readonly namespace?: string;

  /** The Terraform resource: `vaultadmin_namespace`. */
  public readonly resource: TerraformResource;

  /** @throws Error for invalid properties. */
  constructor(scope: Construct, id: string, props: NamespaceProps) {
    super(scope, id);
    const usable = checkConstructProps(this, 'Namespace', 'NamespaceProps', props, { cluster: CLUSTER });
    const { cluster, path = defaultName(this), namespace, ...settings } = usable;
    this.cluster = cluster;
    this.namespace = namespace;

    const title = objectTitle(NAMESPACE, isUnknown(path) ? undefined : path);
    const problems = [
      ...problemsOf(this, NAMESPACE, { name: path, path, ...asFields(settings) }),
      ...namespaceProblems(title, namespace),
    ];
    refuseConstruct(this, problems);
    recordWriter(this, NAMESPACE, { cluster, name: path, namespace }, 'pathFq');

    this.resource = new VaultadminNamespace(this, 'Resource', {
      provider: cluster.providerFor(this, ResourceProvider.VAULTADMIN),
      cluster: cluster.name,
      namespace,
      path,
      ...settings,
    });
    guardProps(this.resource, lateProps('NamespaceProps', usable));
    asMainResource(this, this.resource);
    moveFromUpstream(this.resource, cluster, 'vault_namespace');
  }

  /**
   * The path of the namespace within the namespace of the cluster: the `namespace` of policies,
   * keys and namespaces that are created in it.
   *
   * It is a reference to the Terraform resource, so that they are created after the namespace, and
   * deleted before it.
   */
  public get pathFq(): string {
    return this.resource.getStringAttribute('path_fq');
  }

  /** The id that the server gave the namespace, known after the apply. */
  public get namespaceId(): string {
    return this.resource.getStringAttribute('namespace_id');
  }
}
