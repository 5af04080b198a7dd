import { tokenFromFile } from '../../client/internal';
import { environmentPrefix } from '../../model/clusters';
import type { ClusterSettings } from '../../provider/configuration';
import { oneClusterName } from '../clusters/cluster-names';
import { clustersInEnvironment, resolveClusters } from '../clusters/open-clusters';
import { UserError } from '../errors';
import { hideInOutput } from '../output/secrets';

/** The flags that name clusters. */
export interface TargetFlags {
  readonly cluster?: string;
  /** The addresses of the disposable clusters, by name. */
  readonly disposable?: Readonly<Record<string, string>>;
  /** The names of the disposable clusters, for confirmation. */
  readonly confirm?: readonly string[];
}

/** A cluster and the token for it. */
export interface VerifyTarget {
  readonly settings: ClusterSettings;
  readonly token: string;
}

/**
 * Returns the clusters to examine: one, or the disposable clusters.
 *
 * @throws UserError
 */
export function targetsOf(flags: TargetFlags, env: NodeJS.ProcessEnv): readonly VerifyTarget[] {
  const settings = flags.disposable === undefined ? [oneCluster(flags, env)] : disposable(flags, env);
  return settings.map((each) => ({ settings: each, token: tokenOf(each, env) }));
}

function oneCluster({ cluster, confirm }: TargetFlags, env: NodeJS.ProcessEnv): ClusterSettings {
  if (confirm !== undefined) throw new UserError('--confirm is only for --disposable');
  return clustersInEnvironment([oneClusterName(cluster, env)], env)[0] as ClusterSettings;
}

/**
 * Returns the settings of the disposable clusters. The user has to name them twice, because
 * everything on them is lost.
 */
function disposable(
  { cluster, disposable: addresses = {}, confirm = [] }: TargetFlags,
  env: NodeJS.ProcessEnv,
): readonly ClusterSettings[] {
  if (cluster !== undefined) throw new UserError('--cluster and --disposable exclude each other');
  const names = Object.keys(addresses);
  if (names.length < 2 || names.length > 3) {
    throw new UserError(`--disposable takes two or three clusters, received ${names.length}`);
  }
  if (confirm.length !== names.length || !names.every((name) => confirm.includes(name))) {
    throw new UserError({
      summary: `all data on the clusters ${names.join(', ')} may be lost`,
      cures: `add --confirm ${names.join(',')} to confirm it`,
    });
  }
  const settings = resolveClusters(
    Object.fromEntries(Object.entries(addresses).map(([name, address]) => [name, { address }])),
    env,
  );
  const origins = settings.map(({ options }) => new URL(options.address ?? '').origin);
  const twice = origins.find((origin, index) => origins.indexOf(origin) !== index);
  if (twice !== undefined)
    throw new UserError(`two of the disposable clusters have the same address: ${twice}`);
  return settings;
}

/** @throws UserError if there is no token, because nothing could be written. */
function tokenOf({ name, options, usualTokenFile }: ClusterSettings, env: NodeJS.ProcessEnv): string {
  const token = options.token ?? (usualTokenFile ? tokenFromFile(env) : undefined);
  if (token === undefined) {
    throw new UserError({
      summary: `cluster ${JSON.stringify(name)} has no token: a token is necessary`,
      cures: `set ${environmentPrefix(name)}TOKEN`,
    });
  }
  hideInOutput(token);
  return token;
}
