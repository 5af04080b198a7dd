import { VaultError, type VaultClient } from '../../client';
import { formatDuration } from '../../model';
import type { Cluster } from '../../provider/clusters/cluster';
import type { ClusterSettings } from '../../provider/configuration';
import { addressVariable, tokenVariable } from '../clusters/cluster-names';
import { canBeAsked, describeUnknown, UNKNOWN_SETTINGS_CURE } from '../clusters/open-clusters';
import { isEnterprise, replicationStatus } from '../clusters/replication-status';
import { doubt, ok, problem, type Check } from './check';
import { checkToken } from './check-token';
import type { Requirement } from './requirements';
import type { Target } from './targets';

/** Seconds. Tokens and certificates are valid for times; clocks that differ make them invalid. */
const LARGEST_SKEW = 60;

/**
 * Whether a cluster answers, and lets its token do what is required.
 *
 * @param now milliseconds since 1970.
 */
export async function checkCluster(
  cluster: Cluster,
  { subject, requirements }: Target,
  now: number,
): Promise<readonly Check[]> {
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
  const text = 'no address is configured: assuming a server on this machine';
  return [doubt(subject, text, `set ${addressVariable(settings)}`)];
}

async function checkAnswers(
  subject: string,
  cluster: Cluster,
  requirements: readonly Requirement[],
  now: number,
): Promise<readonly Check[]> {
  const { settings } = cluster;
  const unknown = settings.unknown.length > 0 ? [unknownSettings(subject, settings)] : [];
  if (!canBeAsked(settings)) return unknown;
  const anonymous = cluster.anonymous();
  const health = await checkHealth(subject, anonymous, now);
  if (health.some(({ outcome }) => outcome === 'problem')) return health;
  if (unknown.length > 0) return [...health, ...unknown];
  const client = await cluster.client('');
  if (client === anonymous) return [...health, noToken(subject, settings)];
  const required = await stillRequired(requirements, anonymous);
  return [...health, ...(await checkToken(subject, cluster, required))];
}

/** A cluster that replicates already does not join a set any more. */
async function stillRequired(
  requirements: readonly Requirement[],
  client: VaultClient,
): Promise<readonly Requirement[]> {
  if (!requirements.some(({ toJoin }) => toJoin)) return requirements;
  const { mode } = await replicationStatus(client);
  return mode === 'disabled' ? requirements : requirements.filter(({ toJoin }) => !toJoin);
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
          'it is not an Enterprise server: it supports only ACL policies and audit devices, not managed keys, RGP and EGP policies, ' +
            'replication or automated snapshots',
        ),
      ];
  const clock =
    skew > LARGEST_SKEW
      ? [
          doubt(
            subject,
            `its clock differs from this machine's by ${formatDuration(Math.round(skew))}`,
            'synchronize both with a time server',
          ),
        ]
      : [];
  return [ok(subject, `${client.address} answers: ${version}`), ...edition, ...clock];
}

function unknownSettings(subject: string, settings: ClusterSettings): Check {
  return doubt(subject, describeUnknown(settings), UNKNOWN_SETTINGS_CURE);
}

function noToken(subject: string, settings: ClusterSettings): Check {
  return doubt(
    subject,
    'no token is configured: its permissions could not be checked',
    `set ${tokenVariable(settings)}, or configure a login in the provider's configuration (auth_login)`,
  );
}
