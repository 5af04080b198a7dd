import { type VaultClient, VaultError } from '../../../client';
import { HIDDEN_POLICIES } from '../../../model';
import { authorizedClient } from '../../clusters/clients';
import { checkDescribed } from '../../clusters/cluster-names';
import { clustersInEnvironment, withClusters } from '../../clusters/open-clusters';
import { UserError } from '../../errors';
import { isRecord, mountKinds } from './mounts';
import type { PolicyText } from './policy-source';

/** Whose policies are read from a cluster. At most one of them; without any, all policies. */
export interface Holder {
  readonly tokenAccessor?: string;
  /** An entity's name. */
  readonly entity?: string;
  /** A role's path, such as `auth/approle/role/app`. */
  readonly role?: string;
}

export interface ClusterPolicies {
  readonly policies: readonly PolicyText[];
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
    const held = await policyNamesOf(client, holder);
    const names = held ?? (await client.policies.acl.list()).data.keys;
    const namespace = client.namespace === '' ? '' : `${client.namespace}/`;
    const mounts = await mountsOf(client);
    const policies = await Promise.all(
      names
        .filter((each) => !HIDDEN_POLICIES.includes(each) && each !== 'root')
        .map(async (each): Promise<readonly PolicyText[]> => {
          const found = await client.policies.acl.read(each);
          // Tokens keep the names of policies that were deleted, which permit nothing.
          return found
            ? [
                {
                  name: each,
                  place: `policy ${JSON.stringify(each)} on cluster ${name}`,
                  namespace,
                  text: found.data.policy,
                  mounts,
                },
              ]
            : [];
        }),
    );
    const version = (await client.system.sealStatus()).data.version;
    return { policies: policies.flat(), version: typeof version === 'string' ? version : undefined };
  });
}

/**
 * Uses a client that has a token for a cluster.
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
    if (!client) throw new UserError(`no token is set for cluster ${JSON.stringify(name)}`);
    return use(client);
  });
}

/** Nothing if the token may not know. */
async function mountsOf(client: VaultClient): Promise<ReadonlyMap<string, string>> {
  const answer = await client.read('sys/mounts').catch((error: unknown) => {
    if (VaultError.is(error)) return undefined;
    throw error;
  });
  return mountKinds(
    Object.entries(answer?.data ?? {}).map(([path, mount]) => [path, isRecord(mount) ? mount : {}]),
  );
}

async function policyNamesOf(client: VaultClient, holder: Holder): Promise<readonly string[] | undefined> {
  if (holder.tokenAccessor !== undefined) {
    const { data } = await client.write('auth/token/lookup-accessor', { accessor: holder.tokenAccessor });
    return [...textsOf(data.policies), ...textsOf(data.identity_policies)];
  }
  if (holder.role !== undefined) {
    const data = await readOrRefuse(client, holder.role, `role ${JSON.stringify(holder.role)}`);
    const names = [...textsOf(data.token_policies), ...textsOf(data.policies)];
    return data.token_no_default_policy === true ? names : ['default', ...names];
  }
  if (holder.entity === undefined) return undefined;
  const path = `identity/entity/name/${holder.entity}`;
  const entity = await readOrRefuse(client, path, `entity ${JSON.stringify(holder.entity)}`);
  const groups = await Promise.all(
    textsOf(entity.group_ids).map((id) => readOrRefuse(client, `identity/group/id/${id}`, `group ${id}`)),
  );
  return [entity, ...groups].flatMap(({ policies }) => textsOf(policies));
}

async function readOrRefuse(
  client: VaultClient,
  path: string,
  what: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const found = await client.read(path);
    if (found) return found.data;
  } catch (error) {
    if (!VaultError.is(error)) throw error;
    throw new UserError(`${what} cannot be read: ${error.message}`);
  }
  throw new UserError(`${what} does not exist`);
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
