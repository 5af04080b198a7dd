import { VaultError, type VaultClient } from '../../client';
import { formatDuration } from '../../model';
import type { Cluster } from '../../provider/clusters/cluster';
import { isEnterprise } from '../clusters/edition';
import { doubt, ok, problem, type Check } from './check';
import type { Requirement } from './requirements';

/** Seconds. Tokens and certificates are valid for times; clocks that differ make them invalid. */
const LARGEST_SKEW = 60;
/** Seconds. A deployment may take that long. */
const LEAST_TTL = 300;

/**
 * Whether a cluster answers, and lets its token do what is required.
 *
 * @param now milliseconds since 1970.
 */
export async function checkCluster(
  cluster: Cluster,
  requirements: readonly Requirement[],
  now: number,
): Promise<readonly Check[]> {
  const subject = `cluster ${JSON.stringify(cluster.settings.name)}`;
  try {
    const anonymous = cluster.anonymous();
    const health = await checkHealth(subject, anonymous, now);
    if (health.some(({ outcome }) => outcome === 'problem')) return health;
    const client = await cluster.client('');
    if (client === anonymous) return [...health, noToken(subject)];
    return [
      ...health,
      await checkToken(subject, client),
      ...(await checkCapabilities(subject, cluster, requirements)),
    ];
  } catch (error) {
    if (!VaultError.is(error)) throw error;
    return [problem(subject, error.message)];
  }
}

async function checkHealth(subject: string, client: VaultClient, now: number): Promise<readonly Check[]> {
  const { data } = await client.system.health();
  const { initialized, sealed, version, server_time_utc: time } = data;
  if (!initialized)
    return [problem(subject, `${client.address} is not initialized`, 'run vault operator init')];
  if (sealed) return [problem(subject, `${client.address} is sealed`, 'run vault operator unseal')];

  const skew = typeof time === 'number' ? Math.abs(time - now / 1000) : 0;
  const edition = isEnterprise(version)
    ? []
    : [
        doubt(
          subject,
          'it has no enterprise edition: it knows ACL policies, and neither managed keys, RGP and EGP policies, ' +
            'replication nor automated snapshots',
        ),
      ];
  const clock =
    skew > LARGEST_SKEW
      ? [
          doubt(
            subject,
            `its clock and this machine's differ by ${formatDuration(Math.round(skew))}`,
            'set both by a time server',
          ),
        ]
      : [];
  return [ok(subject, `${client.address} answers: ${version}`), ...edition, ...clock];
}

function noToken(subject: string): Check {
  return doubt(
    subject,
    'no token is given, so that it cannot be found out what is allowed',
    "set the token's variable, or log in in the provider's configuration (auth_login)",
  );
}

async function checkToken(subject: string, client: VaultClient): Promise<Check> {
  const { display_name: name, policies, ttl, expire_time: expires } = (await client.token.lookupSelf()).data;
  const text = `its token is "${name}", with ${policies.join(', ')}`;
  return typeof expires === 'string' && ttl < LEAST_TTL
    ? doubt(subject, `${text}, and ends in ${formatDuration(ttl)}`, 'renew it, or get another one')
    : ok(subject, text);
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
      const granted = await client.system.capabilitiesSelf([...new Set(here.map(({ path }) => path))]);
      return here.flatMap((requirement) => lack(subject, requirement, granted[requirement.path] ?? []));
    }),
  );
  const problems = lacking.flat();
  if (requirements.length === 0 || problems.length > 0) return problems;
  return [ok(subject, 'its token may do all that the stacks need')];
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
    problem(
      subject,
      `its token lacks ${missing.join(', ')} on ${path}${where}`,
      `grant it in one of its policies: path "${path}" { capabilities = ${JSON.stringify(capabilities)} }`,
    ),
  ];
}
