import { VaultError, type VaultClient } from '../../client';
import { formatDuration } from '../../model';
import type { Cluster } from '../../provider/clusters/cluster';
import type { ClusterSettings } from '../../provider/configuration';
import { addressVariable, tokenVariable } from '../clusters/cluster-names';
import { isEnterprise } from '../clusters/edition';
import { doubt, ok, problem, type Check } from './check';
import type { Requirement } from './requirements';

/** Seconds. Tokens and certificates are valid for times; clocks that differ make them invalid. */
const LARGEST_SKEW = 60;
/** Seconds. A deployment may take that long. */
const LEAST_TTL = 300;

/** The settings without which a cluster still tells how it is. */
const CREDENTIALS = ['token', 'auth_login'];

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
  const address = checkAddress(subject, cluster.settings);
  try {
    return [...address, ...(await checkAnswers(subject, cluster, requirements, now))];
  } catch (error) {
    if (!VaultError.is(error)) throw error;
    return [...address, problem(subject, error.message)];
  }
}

function checkAddress(subject: string, settings: ClusterSettings): readonly Check[] {
  if (settings.options.address !== undefined || settings.unknown.includes('address')) return [];
  const text = 'no address is given, so that it is looked for on this machine';
  return [doubt(subject, text, `set ${addressVariable(settings)}`)];
}

async function checkAnswers(
  subject: string,
  cluster: Cluster,
  requirements: readonly Requirement[],
  now: number,
): Promise<readonly Check[]> {
  const { unknown } = cluster.settings;
  if (unknown.some((setting) => !CREDENTIALS.includes(setting))) return [unknownSettings(subject, unknown)];
  const anonymous = cluster.anonymous();
  const health = await checkHealth(subject, anonymous, now);
  if (health.some(({ outcome }) => outcome === 'problem')) return health;
  if (unknown.length > 0) return [...health, unknownSettings(subject, unknown)];
  const client = await cluster.client('');
  if (client === anonymous) return [...health, noToken(subject, cluster.settings)];
  return [
    ...health,
    await checkToken(subject, client),
    ...(await checkCapabilities(subject, cluster, requirements)),
  ];
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

function unknownSettings(subject: string, settings: readonly string[]): Check {
  return doubt(
    subject,
    `its ${settings.join(', ')} in the stacks is not known before Terraform runs`,
    "set the stacks' variables in the environment (TF_VAR_...), as for Terraform",
  );
}

function noToken(subject: string, settings: ClusterSettings): Check {
  return doubt(
    subject,
    'no token is given, so that it cannot be found out what is allowed',
    `set ${tokenVariable(settings)}, or log in in the provider's configuration (auth_login)`,
  );
}

async function checkToken(subject: string, client: VaultClient): Promise<Check> {
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
