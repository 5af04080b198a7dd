import type { VaultClient } from '../../client';
import type { Cluster } from '../../provider/clusters/cluster';
import { rootClient, unlessDenied } from '../clusters/clients';
import { groupsBy } from '../output/lists';
import { doubt, ok, problem, type Check } from './check';
import { describeToken, expiryUnknown, permissionsUnknown, tokenExpires, tokenLacks } from './messages';
import type { Requirement } from './requirements';

/** Seconds. A deployment may take that long. */
const LEAST_TTL = 300;

/**
 * Whether the token of a cluster lasts, and may do what is required.
 *
 * @throws VaultError where the server does not know it.
 */
export async function checkToken(
  subject: string,
  cluster: Cluster,
  requirements: readonly Requirement[],
): Promise<readonly Check[]> {
  return [
    await checkEnd(subject, await cluster.client('')),
    ...(await checkCapabilities(subject, cluster, requirements)),
  ];
}

async function checkEnd(subject: string, client: VaultClient): Promise<Check> {
  const self = await unlessDenied(client.token.lookupSelf());
  if (!self) return doubt(subject, ...expiryUnknown());
  const { display_name: name, policies, ttl, expire_time: expires } = self.data;
  return typeof expires === 'string' && ttl < LEAST_TTL
    ? doubt(subject, ...tokenExpires(name, policies, ttl))
    : ok(subject, describeToken(name, policies));
}

async function checkCapabilities(
  subject: string,
  cluster: Cluster,
  requirements: readonly Requirement[],
): Promise<readonly Check[]> {
  const lacking = await Promise.all(
    groupsBy(requirements, placeOf).map(async (group) => {
      const here = merged(group);
      const client = await clientFor(cluster, group[0]);
      const granted = await unlessDenied(client.system.capabilitiesSelf(here.map(({ path }) => path)));
      if (!granted) return [doubt(subject, ...permissionsUnknown(client.namespace))];
      return here.flatMap((required) =>
        lack(subject, required, client.namespace, granted[required.path] ?? []),
      );
    }),
  );
  const problems = lacking.flat();
  if (requirements.length === 0 || problems.length > 0) return problems;
  return [ok(subject, 'its token may do everything that the stacks require')];
}

/** Requirements of one place are asked for at once. */
function placeOf({ inRoot, namespace }: Requirement): string {
  return inRoot ? '/' : namespace;
}

function clientFor(cluster: Cluster, { inRoot, namespace }: Requirement): Promise<VaultClient> {
  return inRoot ? rootClient(cluster) : cluster.client(namespace);
}

/** One requirement for each path. */
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
): readonly Check[] {
  if (granted.includes('root')) return [];
  const missing = capabilities.filter((capability) => !granted.includes(capability));
  if (missing.length === 0) return [];
  return [problem(subject, ...tokenLacks(missing, path, namespace, capabilities))];
}
