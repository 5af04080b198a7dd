import { VaultError, type VaultClient } from '../../client';
import type { Cluster } from '../../provider/clusters/cluster';
import type { ClusterSettings } from '../../provider/configuration';
import { canBeAsked, describeUnknown, UNKNOWN_SETTINGS_CURE } from '../clusters/open-clusters';
import { isEnterprise } from '../../model/versions';
import { replicationStatus } from '../clusters/replication-status';
import { doubt, ok, problem, type Check } from './check';
import { checkToken } from './check-token';
import {
  clockDiffers,
  isSealed,
  noAddress,
  noToken,
  notEnterprise,
  notInitialized,
  requestFailed,
  stacksRequireEnterprise,
  tokenNotKnown,
} from './messages';
import type { Requirement } from './requirements';
import type { DoctorTarget } from './targets';
import { environmentPrefix } from '../../model/clusters';

/**
 * The maximum difference of clocks in seconds: tokens and certificates are valid for a limited
 * time.
 */
const LARGEST_SKEW = 60;

/**
 * Checks whether a cluster answers, and whether its token has the required rights.
 *
 * @param now milliseconds since 1970.
 */
export async function checkCluster(
  cluster: Cluster,
  { subject, requirements, enterprise }: DoctorTarget,
  now: number,
  env: NodeJS.ProcessEnv,
): Promise<readonly Check[]> {
  const address = checkAddress(subject, cluster);
  const source = tokenSource(cluster.settings, env);
  try {
    const asked = { requirements, enterprise };
    return [...address, ...(await checkAnswers(subject, cluster, asked, now, source))];
  } catch (error) {
    if (!VaultError.is(error)) throw error;
    const isRefused = error.code === 'invalid_token' && source !== undefined;
    const cure = isRefused ? tokenNotKnown(source) : requestFailed(cluster.variablePrefix);
    return [...address, problem(subject, error.message, cure)];
  }
}

function checkAddress(subject: string, { settings, variablePrefix }: Cluster): readonly Check[] {
  if (settings.options.address !== undefined || settings.unknown.includes('address')) return [];
  return [doubt(subject, ...noAddress(variablePrefix))];
}

async function checkAnswers(
  subject: string,
  cluster: Cluster,
  { requirements, enterprise }: Pick<DoctorTarget, 'requirements' | 'enterprise'>,
  now: number,
  source: string | undefined,
): Promise<readonly Check[]> {
  const { settings } = cluster;
  const unknown = settings.unknown.length > 0 ? [unknownSettings(subject, settings)] : [];
  if (!canBeAsked(settings)) return unknown;
  const anonymous = cluster.anonymous();
  const health = await checkHealth(subject, anonymous, enterprise, now);
  if (health.some(({ outcome }) => outcome === 'problem')) return health;
  if (unknown.length > 0) return [...health, ...unknown];
  const client = await cluster.client('');
  if (client === anonymous) return [...health, doubt(subject, ...noToken(cluster.variablePrefix))];
  const required = await stillRequired(requirements, anonymous);
  return [...health, ...(await checkToken(subject, cluster, required, source))];
}

/** Returns the requirements without those of a join, if the cluster already replicates. */
async function stillRequired(
  requirements: readonly Requirement[],
  client: VaultClient,
): Promise<readonly Requirement[]> {
  if (!requirements.some(({ toJoin }) => toJoin)) return requirements;
  const { mode } = await replicationStatus(client);
  return mode === 'disabled' ? requirements : requirements.filter(({ toJoin }) => !toJoin);
}

async function checkHealth(
  subject: string,
  client: VaultClient,
  enterprise: DoctorTarget['enterprise'],
  now: number,
): Promise<readonly Check[]> {
  const { data } = await client.system.health();
  const { initialized, sealed, version, server_time_utc: time } = data;
  if (!initialized) return [problem(subject, ...notInitialized(client.address))];
  if (sealed) return [problem(subject, ...isSealed(client.address))];
  const skew = typeof time === 'number' ? Math.abs(time - now / 1000) : 0;
  return [
    ok(subject, `${client.address} answers: ${version}`),
    ...checkEdition(subject, version, enterprise),
    ...(skew > LARGEST_SKEW ? [doubt(subject, ...clockDiffers(skew))] : []),
  ];
}

function checkEdition(
  subject: string,
  version: string,
  enterprise: DoctorTarget['enterprise'],
): readonly Check[] {
  if (isEnterprise(version) || enterprise?.length === 0) return [];
  return enterprise === undefined
    ? [doubt(subject, ...notEnterprise())]
    : [problem(subject, ...stacksRequireEnterprise(enterprise))];
}

function unknownSettings(subject: string, settings: ClusterSettings): Check {
  return doubt(subject, describeUnknown(settings), UNKNOWN_SETTINGS_CURE);
}

/**
 * Returns the source of a cluster's token, for messages. `undefined` if the token is from a login,
 * or there is none.
 */
function tokenSource(
  { name, options: { token }, login, usualTokenFile }: ClusterSettings,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (login !== undefined) return undefined;
  if (token === undefined) return usualTokenFile ? '~/.vault-token' : undefined;
  const variables = [`${environmentPrefix(name)}TOKEN`, ...(usualTokenFile ? ['VAULT_TOKEN'] : [])];
  return variables.find((variable) => env[variable]?.trim() === token) ?? "the provider's configuration";
}
