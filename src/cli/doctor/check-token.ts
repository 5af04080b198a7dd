import { VaultError, type TokenInfo, type VaultClient } from '../../client';
import { normalizeNamespace } from '../../model';
import type { Cluster } from '../../provider/clusters/cluster';
import { rootClient, unlessDenied } from '../clusters/clients';
import { groupsBy } from '../../model/groups';
import { doubt, ok, problem, type Check } from './check';
import {
  describeToken,
  expiryUnknown,
  namespaceMissing,
  permissionsUnknown,
  tokenExpires,
  tokenLacks,
} from './messages';
import type { Requirement } from './requirements';

/** The minimum TTL in seconds: a deployment may take that long. */
const LEAST_TTL = 300;

/**
 * Checks whether the token of a cluster remains valid, and has the required permissions.
 *
 * @param source the source of the token, for messages.
 * @throws VaultError if the server does not know the token.
 */
export async function checkToken(
  subject: string,
  cluster: Cluster,
  requirements: readonly Requirement[],
  source: string | undefined,
): Promise<readonly Check[]> {
  const client = await cluster.client('');
  const self = await unlessDenied(client.token.lookupSelf());
  const home = normalizeNamespace(self ? self.data.namespace_path : client.namespace);
  return [
    self ? checkEnd(subject, self.data) : doubt(subject, ...expiryUnknown(source)),
    ...(await checkCapabilities(subject, cluster, requirements, home)),
  ];
}

function checkEnd(subject: string, token: TokenInfo): Check {
  const { display_name: name, policies, ttl, expire_time: expires } = token;
  return typeof expires === 'string' && ttl < LEAST_TTL
    ? doubt(subject, ...tokenExpires(name, policies, ttl))
    : ok(subject, describeToken(name, policies));
}

/** @param home the namespace of the token, and of its policies. */
async function checkCapabilities(
  subject: string,
  cluster: Cluster,
  requirements: readonly Requirement[],
  home: string,
): Promise<readonly Check[]> {
  const lacking = await Promise.all(
    groupsBy(requirements, placeOf).map(async (group) => {
      const here = merged(group);
      const client = await clientFor(cluster, group[0]);
      const granted = await grantedTo(client, here);
      if (granted === MISSING)
        return isToBeCreated(group[0].namespace, requirements)
          ? []
          : [doubt(subject, ...namespaceMissing(client.namespace))];
      const toGrant = (path: string) => pathFrom(home, client.namespace, path);
      if (!granted)
        return [doubt(subject, ...permissionsUnknown(client.namespace, toGrant('sys/capabilities-self')))];
      return here.flatMap((required) =>
        lack(subject, required, client.namespace, granted[required.path] ?? [], toGrant(required.path)),
      );
    }),
  );
  const problems = lacking.flat();
  if (requirements.length === 0 || problems.length > 0) return problems;
  return [ok(subject, 'its token may do everything that the stacks require')];
}

const MISSING = 'the namespace is missing';

/** @returns `undefined` if the token may not look up its capabilities. */
async function grantedTo(client: VaultClient, required: readonly Requirement[]) {
  try {
    return await unlessDenied(client.system.capabilitiesSelf(required.map(({ path }) => path)));
  } catch (error) {
    if (!VaultError.is(error) || error.code !== 'namespace_missing') throw error;
    return MISSING;
  }
}

/** Whether the stacks create a namespace. The first apply then needs no rights in it. */
function isToBeCreated(namespace: string, requirements: readonly Requirement[]): boolean {
  const parent = namespace.split('/').slice(0, -1).join('/');
  const path = `sys/namespaces/${namespace.split('/').at(-1)}`;
  return requirements.some((each) => each.namespace === parent && each.path === path);
}

/** Returns the key of a requirement's group: the capabilities of a group are read at once. */
function placeOf({ inRoot, namespace }: Requirement): string {
  return inRoot ? '/' : namespace;
}

function clientFor(cluster: Cluster, { inRoot, namespace }: Requirement): Promise<VaultClient> {
  return inRoot ? rootClient(cluster) : cluster.client(namespace);
}

/**
 * Returns a path of a namespace as policies in the namespace `home` write it. Policies can also
 * grant paths in namespaces below, never in those above.
 */
function pathFrom(home: string, namespace: string, path: string): string {
  if (namespace === home) return path;
  const below =
    home === '' ? namespace : namespace.startsWith(`${home}/`) ? namespace.slice(home.length + 1) : '';
  return below === '' ? path : `${below}/${path}`;
}

/** Joins the requirements for the same path. */
function merged(requirements: readonly Requirement[]): readonly Requirement[] {
  return groupsBy(requirements, ({ path }) => path).map((same) => ({
    ...same[0],
    capabilities: [...new Set(same.flatMap(({ capabilities }) => capabilities))],
  }));
}

function lack(
  subject: string,
  { path, capabilities }: Requirement,
  namespace: string,
  granted: readonly string[],
  pathToGrant: string,
): readonly Check[] {
  if (granted.includes('root')) return [];
  const missing = capabilities.filter((capability) => !granted.includes(capability));
  if (missing.length === 0) return [];
  return [problem(subject, ...tokenLacks(missing, path, namespace, capabilities, pathToGrant))];
}
