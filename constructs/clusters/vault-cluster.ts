import { TerraformStack, type TerraformProvider } from 'cdktf';
import { Construct, type IConstruct } from 'constructs';
import { checkConstructProps } from '../private/expectations';
import { requireOneFramework } from '../private/framework';
import { duplicateClusterName } from '../private/messages';
import { isIncomplete, refuseConstruct } from '../private/report';
import { ResourceProvider, type IVaultCluster, type UnknownPolicySyntax } from './cluster';
import type { VaultConnection } from './connection';
import { checkConnection } from './private/check-connection';
import { registerServer } from './private/server-of';
import { upstreamProvider, vaultadminProvider } from './private/providers';

/** The properties of a Vault cluster. */
export interface VaultClusterProps extends VaultConnection {
  /**
   * The name of the cluster in this app: letters, digits, `-` and `_`. It must be unique within a
   * stack.
   *
   * @default 'default'
   */
  readonly name?: string | undefined;

  /**
   * The provider whose resources the constructs of the cluster become.
   *
   * @default ResourceProvider.UPSTREAM
   */
  readonly resourceProvider?: ResourceProvider | undefined;

  /**
   * The version of the server, such as `1.16`: RGPs and EGPs that use what its Sentinel does not
   * have are refused.
   *
   * @default - not known: all of Sentinel may be used
   */
  readonly serverVersion?: string | undefined;

  /**
   * The reaction to arguments and capabilities of ACL policies that are not known to this package.
   *
   * @default UnknownPolicySyntax.ERROR
   */
  readonly unknownPolicySyntax?: UnknownPolicySyntax | undefined;

  /**
   * Whether policies, automated snapshots and audit devices with `ResourceProvider.VAULTADMIN` come
   * with `moved` blocks: they take over the objects that the state has for the resources of
   * `hashicorp/vault` under the same address. After a change of `resourceProvider`, only the state
   * changes, and nothing is written to the server.
   *
   * Set it to false for a stack with several clusters, for which a `moved` block cannot
   * determine which cluster has an object.
   *
   * @default true
   */
  readonly moveFromUpstream?: boolean | undefined;
}

/**
 * A Vault cluster, which is passed to everything that is written to it.
 *
 * It may be used in several stacks. Each of them gets its own providers.
 */
export class VaultCluster extends Construct implements IVaultCluster {
  public readonly name: string;
  public readonly resourceProvider: ResourceProvider;
  public readonly serverVersion?: string;
  public readonly unknownPolicySyntax?: UnknownPolicySyntax;
  public readonly moveFromUpstream?: boolean;
  private readonly connection: VaultConnection;
  private readonly providers = {
    [ResourceProvider.UPSTREAM]: new Map<TerraformStack, TerraformProvider>(),
    [ResourceProvider.VAULTADMIN]: new Map<TerraformStack, TerraformProvider>(),
  };

  /** @throws Error for invalid properties, and for a secret in plain text. */
  constructor(scope: Construct, id: string, props: VaultClusterProps = {}) {
    super(scope, id);
    requireOneFramework(this);
    const usable = checkConstructProps(this, 'VaultCluster', 'VaultClusterProps', props, {});
    const {
      // Clusters in one stack must have different names.
      name = isIncomplete(this) ? this.node.addr : 'default',
      resourceProvider = ResourceProvider.UPSTREAM,
      serverVersion,
      unknownPolicySyntax,
      moveFromUpstream = true,
      ...connection
    } = usable;
    this.name = name;
    this.resourceProvider = resourceProvider in this.providers ? resourceProvider : ResourceProvider.UPSTREAM;
    this.serverVersion = serverVersion;
    this.unknownPolicySyntax = unknownPolicySyntax;
    this.moveFromUpstream = moveFromUpstream;
    checkConnection(this, { name, resourceProvider, serverVersion, unknownPolicySyntax }, connection);
    this.connection = isIncomplete(this) ? {} : connection;
    registerServer(this, connection);
  }

  public providerFor(scope: IConstruct, choice: ResourceProvider = this.resourceProvider): TerraformProvider {
    const stack = TerraformStack.of(scope);
    const present = this.providers[choice].get(stack);
    if (present) return present;
    const namesake = namesakeOf(this, stack, choice);
    if (namesake) {
      refuseConstruct(stack, [duplicateClusterName(this.name, namesake)]);
      return namesake.providerFor(scope, choice);
    }
    const isShared = () => this.providers[ResourceProvider.UPSTREAM].size > 0;
    const provider =
      choice === ResourceProvider.VAULTADMIN
        ? vaultadminProvider(stack, this, this.connection, isShared)
        : upstreamProvider(stack, this, this.connection);
    this.providers[choice].set(stack, provider);
    return provider;
  }
}

/** The clusters of each stack by provider and name. */
const NAMES = new WeakMap<TerraformStack, Map<string, VaultCluster>>();

/** Returns another cluster of the provider with the same name in the stack, if there is one. */
function namesakeOf(
  cluster: VaultCluster,
  stack: TerraformStack,
  provider: ResourceProvider,
): VaultCluster | undefined {
  const names = NAMES.get(stack) ?? new Map<string, VaultCluster>();
  NAMES.set(stack, names);
  const key = `${provider} ${cluster.name}`;
  const present = names.get(key);
  if (!present) names.set(key, cluster);
  return present;
}
