import { phrase, type Message } from '../../../model/messages';
import { type VaultClient, VaultError } from '../../../client';
import {
  HIDDEN_POLICIES,
  isAmbiguous,
  namespacePrefix,
  productVersion,
  type AclIdentity,
} from '../../../model';
import { MOUNTS_PATH } from '../../../model/paths';
import { environmentPrefix } from '../../../model/clusters';
import type { Cluster } from '../../../provider/clusters/cluster';
import { authorizedClient } from '../../clusters/clients';
import { checkDescribed } from '../../clusters/cluster-names';
import { clustersInEnvironment, withClusters } from '../../clusters/open-clusters';
import { UserError } from '../../errors';
import { holdingOf, type Holder } from './holder';
import { isRecord } from '../../../text';
import { mountKinds } from './mounts';
import type { NamesInNamespace } from './other-namespaces';
import type { AclPolicyText } from './policy-source';

export interface ClusterPolicies {
  readonly policies: readonly AclPolicyText[];
  /**
   * The names of the holder's policies, including policies that do not exist. Absent if all
   * policies were requested.
   */
  readonly names?: readonly string[];
  /**
   * The identity of the holder. Absent if no policy has templates, or the holder has no identity.
   */
  readonly identity?: AclIdentity;
  /** The server's version. */
  readonly version: string | undefined;
}

/**
 * Reads policies from a running cluster.
 *
 * @throws UserError if there is no such holder, VaultError
 */
export async function policiesOnCluster(
  name: string,
  holder: Holder,
  env: NodeJS.ProcessEnv,
): Promise<ClusterPolicies> {
  return withClient(name, env, async (client) => {
    const held = await holdingOf(client, holder);
    const wanted = held?.policies ?? [
      { namespace: client.namespace, names: (await client.policies.acl.list()).data.keys },
    ];
    const ceiling = { namespace: client.namespace, names: holder.ceiling ?? [] };
    const policies = await policiesIn(client, `on cluster ${name}`, held ? [...wanted, ceiling] : wanted);
    const isTemplated = policies.some(({ text }) => text.includes('{{'));
    const identity = isTemplated ? await held?.identity() : undefined;
    return {
      policies,
      version: await versionOf(client),
      ...(held && { names: held.policies.flatMap(({ names }) => names) }),
      ...(identity && { identity }),
    };
  });
}

/**
 * Returns the version of the server. If it is ambiguous, the health of the server is read as well.
 */
async function versionOf(client: VaultClient): Promise<string | undefined> {
  const { version } = (await client.system.sealStatus()).data;
  return isAmbiguous(version) ? productVersion((await client.system.health()).data) : version;
}

/**
 * Reads policies of one or several namespaces, each once.
 *
 * @param cluster the text that names the cluster in places, such as `on cluster us`.
 */
async function policiesIn(
  client: VaultClient,
  cluster: string,
  wanted: readonly NamesInNamespace[],
): Promise<readonly AclPolicyText[]> {
  const byNamespace = new Map<string, Set<string>>();
  for (const { namespace, names } of wanted) {
    const others = byNamespace.get(namespace) ?? [];
    byNamespace.set(namespace, new Set([...others, ...names]));
  }
  const read = Array.from(byNamespace, async ([path, names]) => {
    const within = client.withNamespace(path);
    const mounts = await mountsOf(within);
    const readable = [...names].filter((each) => !HIDDEN_POLICIES.includes(each) && each !== 'root');
    const found = await Promise.all(
      readable.map(async (name) => ({ name, policy: await within.policies.acl.read(name) })),
    );
    const inNamespace = path === client.namespace ? '' : ` in namespace ${JSON.stringify(path)}`;
    const namespace = namespacePrefix(path);
    // Tokens keep the names of deleted policies, which permit nothing.
    return found.flatMap(({ name, policy }): readonly AclPolicyText[] => {
      if (!policy) return [];
      const place = `policy ${JSON.stringify(name)}${inNamespace} ${cluster}`;
      return [{ name, place, namespace, text: policy.data.policy, isTemplate: false, mounts }];
    });
  });
  return (await Promise.all(read)).flat();
}

/**
 * Calls a function with a client that has a token for a cluster.
 *
 * @throws UserError if there is no such cluster, or no token
 */
export async function withClient<T>(
  name: string,
  env: NodeJS.ProcessEnv,
  use: (client: VaultClient) => Promise<T>,
): Promise<T> {
  checkDescribed([name], env);
  return withClusters(clustersInEnvironment([name], env), env, async ([cluster]) => {
    const client = cluster && (await authorizedClient(cluster));
    if (!client) throw new UserError(noClient(name, cluster));
    return use(client);
  });
}

function noClient(name: string, cluster: Cluster | undefined): Message {
  const title = JSON.stringify(name);
  if (cluster?.settings.options.address !== undefined) {
    return { summary: `no token is set for cluster ${title}`, cures: `set ${cluster.variablePrefix}TOKEN` };
  }
  return {
    summary: phrase`${title} is not described by the environment: neither ${environmentPrefix(name)}ADDR nor VAULT_ADDR
      is set`,
  };
}

/** Returns the mounts by path; none if the token may not read them. */
async function mountsOf(client: VaultClient): Promise<ReadonlyMap<string, string>> {
  const answer = await client.read(MOUNTS_PATH).catch((error: unknown) => {
    if (VaultError.is(error)) return undefined;
    throw error;
  });
  return mountKinds(
    Object.entries(answer?.data ?? {}).map(([path, mount]) => [path, isRecord(mount) ? mount : {}]),
  );
}
