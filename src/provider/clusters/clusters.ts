import type { VaultClient } from '../../client';
import type { ObjectIdentity } from '../../model';
import {
  isKnown,
  UNKNOWN,
  type Context,
  type DeferralContext,
  type DiagnosticError,
  type Unknown,
} from '../../plugin';
import type { ClusterSettings } from '../configuration';
import type { Cluster, ProcessContext } from './cluster';
import type * as clusterModule from './cluster';
import { clusterGone, clusterNotNamed, clusterTooEarly, clusterUnknown } from './messages';

/** The context of a handler that needs a cluster. Some handlers can defer their resource. */
type Asking = Context & Partial<DeferralContext>;

/**
 * The clusters of one configuration of the provider. Its resources find them as
 * `context.providerData`.
 */
export class Clusters {
  /** The clusters; UNKNOWN if Terraform knows their names only after an apply. */
  readonly names: readonly string[] | Unknown;
  readonly #clusters: ReadonlyMap<string, Cluster>;

  constructor(settings: readonly ClusterSettings[] | Unknown, processContext: ProcessContext) {
    const known = isKnown(settings) ? settings : [];
    this.names = isKnown(settings) ? settings.map(({ name }) => name) : UNKNOWN;
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- checks of configurations do not need the client
    const { Cluster } = require('./cluster') as typeof clusterModule;
    this.#clusters = new Map(known.map((cluster) => [cluster.name, new Cluster(cluster, processContext)]));
  }

  /**
   * Returns the name of an object's cluster.
   *
   * @param given the object's attribute `cluster`, which may be left out if there is only one
   * cluster
   * @param object the name of the object in errors: `ACL policy "ops"`
   * @throws DiagnosticError
   */
  nameOf(given: string | null | Unknown, object: string): string | Unknown {
    const { names } = this;
    if (!isKnown(given)) return UNKNOWN;
    // Terraform refuses a plan without a value that the configuration has, so a given name stays.
    if (!isKnown(names)) return given ?? UNKNOWN;
    if (given !== null) {
      if (this.#clusters.has(given)) return given;
      throw clusterUnknown(object, given, names);
    }
    const [only, ...others] = names;
    if (only !== undefined && others.length === 0) return only;
    throw clusterNotNamed(object, names);
  }

  /**
   * Like {@link nameOf}, for handlers that need a known name.
   *
   * @throws DiagnosticError also if Terraform knows the names of clusters only after an apply
   */
  knownNameOf(given: string | null, object: string, context: Asking): string {
    this.knownNames(object, context);
    return this.nameOf(given, object) as string;
  }

  /** @throws DiagnosticError if Terraform knows the names of clusters only after an apply */
  knownNames(object: string, context: Asking): readonly string[] {
    return isKnown(this.names) ? this.names : putOff(context, clusterTooEarly(object, ['clusters']));
  }

  /**
   * Returns the client for an object.
   *
   * @throws DiagnosticError if its cluster is no longer configured, or not known yet
   * @throws VaultError if the login fails
   */
  client(
    { cluster, namespace }: Pick<ObjectIdentity, 'cluster' | 'namespace'>,
    object: string,
    context: Asking,
  ): Promise<VaultClient> {
    return this.cluster(cluster, object, context).client(namespace);
  }

  /**
   * Returns the cluster of an object.
   *
   * @throws DiagnosticError if it is no longer configured, or not known yet
   */
  cluster(name: string, object: string, context: Asking): Cluster {
    const names = this.knownNames(object, context);
    const found = this.#clusters.get(name);
    if (!found) throw clusterGone(object, name, names);
    const { unknown } = found.settings;
    if (unknown.length > 0) {
      return putOff(context, clusterTooEarly(`${object} on cluster ${JSON.stringify(name)}`, unknown));
    }
    return found;
  }

  /**
   * The settings of a cluster to which requests can be made; `undefined` if none can be made to it.
   */
  readySettings(name: string): ClusterSettings | undefined {
    return this.isReady(name) ? this.#clusters.get(name)?.settings : undefined;
  }

  /**
   * Whether requests can be made to a cluster. They cannot if settings such as its address are
   * known only after an apply.
   */
  isReady(name: string): boolean {
    const unknown = this.#clusters.get(name)?.settings.unknown ?? [];
    return isKnown(this.names) && unknown.length === 0;
  }

  /** Renews the tokens of logins that are due, in the background. */
  keepLogins(): void {
    for (const cluster of this.#clusters.values()) void cluster.keepLogin();
  }

  /** Revokes the tokens of logins, and closes the connections. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#clusters.values(), (cluster) => cluster.close()));
  }
}

/** Defers a resource to a later apply, or throws an error if Terraform does not support that. */
function putOff({ clientCapabilities: client, defer }: Asking, error: DiagnosticError): never {
  if (client?.deferralAllowed) defer?.('provider_config_unknown');
  throw error;
}
