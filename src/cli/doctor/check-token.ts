import { VaultError, type VaultClient } from '../../client';
import { formatDuration } from '../../model';
import type { Cluster } from '../../provider/clusters/cluster';
import { doubt, ok, problem, type Check } from './check';
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
  if (!self) {
    const text = 'its token may not look itself up, so that it cannot be found out when it ends';
    return doubt(subject, text, grant('auth/token/lookup-self', ['read']));
  }
  const { display_name: name, policies, ttl, expire_time: expires } = self.data;
  const text = `its token is "${name}", with ${policies.join(', ')}`;
  return typeof expires === 'string' && ttl < LEAST_TTL
    ? doubt(subject, `${text}, and ends in ${formatDuration(ttl)}`, 'renew it, or get another one')
    : ok(subject, text);
}

/** Both are granted by the policy `default`, which a token need not have. */
async function unlessDenied<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!VaultError.is(error) || error.code !== 'denied') throw error;
    return undefined;
  }
}

async function checkCapabilities(
  subject: string,
  cluster: Cluster,
  requirements: readonly Requirement[],
): Promise<readonly Check[]> {
  const namespaces = [...new Set(requirements.map(({ namespace }) => namespace))];
  const lacking = await Promise.all(
    namespaces.map(async (namespace) => {
      const here = requirements.filter((each) => each.namespace === namespace);
      const client = await cluster.client(namespace);
      const granted = await unlessDenied(client.system.capabilitiesSelf(here.map(({ path }) => path)));
      if (!granted) return [mayNotAsk(subject)];
      return here.flatMap((requirement) => lack(subject, requirement, granted[requirement.path] ?? []));
    }),
  );
  const problems = lacking.flat();
  if (requirements.length === 0 || problems.length > 0) return problems;
  return [ok(subject, 'its token may do all that the stacks need')];
}

function mayNotAsk(subject: string): Check {
  const text =
    'its token may not ask for its capabilities, so that it cannot be found out what it is allowed';
  return doubt(subject, text, grant('sys/capabilities-self', ['update']));
}

function grant(path: string, capabilities: readonly string[]): string {
  return `grant it in one of its policies: path "${path}" { capabilities = ${JSON.stringify(capabilities)} }`;
}

function lack(
  subject: string,
  { path, namespace, capabilities }: Requirement,
  granted: readonly string[],
): readonly Check[] {
  if (granted.includes('root')) return [];
  const missing = capabilities.filter((capability) => !granted.includes(capability));
  if (missing.length === 0) return [];
  const where = namespace === '' ? '' : ` in namespace ${JSON.stringify(namespace)}`;
  return [
    problem(subject, `its token lacks ${missing.join(', ')} on ${path}${where}`, grant(path, capabilities)),
  ];
}
