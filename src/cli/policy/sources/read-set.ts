import { existsSync } from 'node:fs';
import { VaultError } from '../../../client';
import {
  AclPolicySet,
  aclOptionsFor,
  type AclIdentity,
  type AclServerSettings,
  type NamedAclPolicy,
} from '../../../model';
import { ASSUMED_SERVER_VERSION } from '../../../model/versions';
import { UserError } from '../../errors';
import { printError } from '../../output/print';
import { policiesOnCluster, type ClusterPolicies } from './policies-on-cluster';
import { policiesAt } from './files';
import type { Holder } from './holder';
import { identityInFile } from './identity';
import { parsePolicies, type PolicyFault, type AclPolicyText } from './policy-source';

/** The options that select policies, and say how servers read them. */
export interface SourceFlags extends Holder {
  readonly cluster?: string;
  readonly policy?: readonly string[];
  /** A file with the identity that templates are filled in for. */
  readonly identity?: string;
  readonly serverVersion?: string;
  readonly serverSetting?: AclServerSettings;
}

/** The parsed policies for a command. */
interface ReadPolicies extends Rules {
  readonly policies: readonly NamedAclPolicy[];
  /** The policies that cannot be parsed. */
  readonly faults: readonly PolicyFault[];
}

/** The rules by which servers decide. */
export interface Rules {
  /** The version of the server. */
  readonly version: string;
  /** The source of the version, for people. */
  readonly origin: string;
  /** The settings of the server. Absent if they are the usual ones. */
  readonly settings?: AclServerSettings;
  /** The identity for templates. Absent if it is not known: then templates are not filled in. */
  readonly identity?: AclIdentity;
}

/** The texts of the policies for a command. */
interface ReadTexts extends Rules {
  readonly texts: readonly AclPolicyText[];
  /** The names of the holder's policies, if a holder was selected. */
  readonly names?: readonly string[];
}

/**
 * Reads and parses the policies for a command.
 *
 * @returns `undefined` if a cluster did not answer; this is reported already.
 * @throws UserError if no source is specified.
 */
export async function readPolicies(
  paths: readonly string[],
  flags: SourceFlags,
  env: NodeJS.ProcessEnv,
): Promise<ReadPolicies | undefined> {
  const read = await readTexts(paths, flags, env);
  if (!read) return undefined;
  const { texts, ...others } = read;
  return { ...parsePolicies(chosen(texts, flags.policy), others.version), ...others };
}

/** Reads policies as the set of one token. */
export async function readSet(
  paths: readonly string[],
  flags: SourceFlags,
  env: NodeJS.ProcessEnv,
): Promise<(ReadPolicies & { readonly set: AclPolicySet }) | undefined> {
  const read = await readPolicies(paths, flags, env);
  return read && { ...read, set: setOf(read.policies, read) };
}

/**
 * Returns the version whose rules are followed: the given one, that of a cluster, or the default.
 */
export function versionOf(given: string | undefined, running?: string): Pick<Rules, 'version' | 'origin'> {
  if (given !== undefined) return { version: given, origin: 'as given' };
  if (running !== undefined) return { version: running, origin: 'that of the cluster' };
  return { version: ASSUMED_SERVER_VERSION, origin: 'the default' };
}

/**
 * Returns the set of policies, with the rules of a server version, for the known part of an
 * identity.
 */
export function setOf(
  policies: readonly NamedAclPolicy[],
  { version, settings, identity }: Pick<Rules, 'version' | 'settings' | 'identity'>,
): AclPolicySet {
  return new AclPolicySet(policies, { ...aclOptionsFor(version, settings), ...(identity && { identity }) });
}

/** Returns the error for a missing source. Some users expect that `--policy` names files. */
function noPolicies({ policy = [] }: SourceFlags): UserError {
  const files = policy.filter((name) => existsSync(name)).map((name) => JSON.stringify(name));
  return new UserError({
    summary: 'no policies specified',
    cures:
      files.length === 0
        ? `specify files, folders, stacks or a cluster (--cluster)${
            policy.length === 0 ? '' : ', among whose policies --policy selects by name'
          }`
        : `write ${files.join(' ')} at the end, without --policy, which chooses policies by their names`,
  });
}

/** Reads the texts of policies without parsing them. */
export async function readTexts(
  paths: readonly string[],
  flags: SourceFlags,
  env: NodeJS.ProcessEnv,
): Promise<ReadTexts | undefined> {
  const { cluster, serverVersion, serverSetting } = flags;
  if (paths.length === 0 && cluster === undefined) throw noPolicies(flags);
  checkHolder(flags);
  const given = flags.identity === undefined ? undefined : identityInFile(flags.identity);
  const files = paths.flatMap(policiesAt);
  const running = cluster === undefined ? undefined : await unlessUnreachable(cluster, flags, env);
  if (cluster !== undefined && !running) return undefined;
  const identity = given ?? running?.identity;
  return {
    texts: [...files, ...(running?.policies ?? [])],
    ...versionOf(serverVersion, running?.version),
    ...(serverSetting && { settings: serverSetting }),
    ...(identity && { identity }),
    ...(running?.names && { names: running.names }),
  };
}

/** @throws UserError if a holder is selected without a cluster, or several holders are. */
function checkHolder({ cluster, tokenAccessor, entity, role }: SourceFlags): void {
  const given = [tokenAccessor, entity, role].filter((each) => each !== undefined).length;
  if (given > 0 && cluster === undefined) {
    throw new UserError('--token-accessor, --entity and --role require --cluster');
  }
  if (given > 1) throw new UserError('--token-accessor, --entity and --role cannot be combined');
}

async function unlessUnreachable(
  cluster: string,
  flags: SourceFlags,
  env: NodeJS.ProcessEnv,
): Promise<ClusterPolicies | undefined> {
  try {
    return await policiesOnCluster(cluster, flags, env);
  } catch (error) {
    if (!VaultError.is(error)) throw error;
    printError(`the policies of cluster ${cluster} could not be read: ${error.message}`);
    return undefined;
  }
}

/** @throws UserError if there is no policy with one of the names. */
export function chosen(
  texts: readonly AclPolicyText[],
  names: readonly string[] | undefined,
): readonly AclPolicyText[] {
  const unknown = names?.find((name) => !texts.some((text) => text.name === name));
  if (unknown !== undefined) {
    const known = [...new Set(texts.map(({ name }) => name))].join(', ');
    throw new UserError(`policy ${JSON.stringify(unknown)} not found\nAvailable: ${known || 'none'}.`);
  }
  return names ? texts.filter(({ name }) => names.includes(name)) : texts;
}
