import {
  AclPolicySet,
  aclOptionsFor,
  diffPolicySets,
  groupChanges,
  permittedBy,
  type NamedAclPolicy,
} from '../../../model';
import { UserError } from '../../errors';
import { EXIT, type ExitCode } from '../../exit-codes';
import { printJson, printLines } from '../../output/print';
import { styleFor } from '../../output/style';
import { readPolicies, readSet, type SourceFlags } from '../sources/read-set';
import { changeJson } from './json';
import { changeLines, permittedText } from './messages';

export interface ListFlags extends SourceFlags {
  readonly under?: string;
  readonly json?: boolean;
}

export interface DiffFlags extends SourceFlags {
  readonly fromCluster?: string;
  readonly together?: boolean;
  readonly failOnWidening?: boolean;
  readonly json?: boolean;
}

/** Lists all that a set of policies allows. */
export async function listPermitted(
  sources: readonly string[],
  flags: ListFlags,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const set = await readSet(sources, flags, env);
  if (!set) return EXIT.unknown;
  const permitted = permittedBy(set, flags.under).filter(({ untidy }) => !untidy);
  const lines = groupChanges(permitted).map(permittedText);
  if (flags.json) printJson(process.stdout, { allowed: permitted.map(changeJson) });
  else printLines(process.stdout, lines.length > 0 ? lines : ['Nothing is allowed.']);
  return EXIT.ok;
}

/** Compares policies: each with the one of its name, or all together as one token has them. */
export async function comparePolicies(
  paths: readonly string[],
  flags: DiffFlags,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const sides = await bothSides(paths, flags, env);
  if (!sides) return EXIT.unknown;
  const [old, now] = sides;
  const options = aclOptionsFor(now.version);
  const pairs = flags.together ? [together(old.policies, now.policies)] : pairsOf(old.policies, now.policies);
  const compared = pairs.map(({ name, before, after }) => ({
    name,
    changes: diffPolicySets(new AclPolicySet(before, options), new AclPolicySet(after, options)).filter(
      ({ untidy }) => !untidy,
    ),
  }));
  const changed = compared.filter(({ changes }) => changes.length > 0);
  if (flags.json) {
    printJson(process.stdout, {
      policies: changed.map(({ name, changes }) => ({ name, changes: changes.map(changeJson) })),
    });
  } else {
    const style = styleFor(process.stdout, env);
    const lines = changed.flatMap(({ name, changes }, index) => [
      ...(index > 0 ? [''] : []),
      ...(name === undefined ? [] : [style.strong(name)]),
      ...groupChanges(changes).flatMap((group) => changeLines(group, style)),
    ]);
    printLines(process.stdout, lines.length > 0 ? lines : ['The policies allow the same requests.']);
  }
  const widens = changed.some(({ changes }) => changes.some(({ becomes }) => becomes === 'allowed'));
  return flags.failOnWidening && widens ? EXIT.problems : EXIT.ok;
}

async function bothSides(paths: readonly string[], flags: DiffFlags, env: NodeJS.ProcessEnv) {
  const { fromCluster, ...others } = flags;
  const expected = fromCluster === undefined ? 2 : 1;
  if (paths.length !== expected) {
    throw new UserError(
      fromCluster === undefined
        ? 'expected two sources: the old policies and the new ones\nTo do: specify both, or the new ones and --from-cluster.'
        : 'expected one source with --from-cluster: the new policies',
    );
  }
  const now = await readPolicies(paths.slice(-1), others, env);
  const old =
    fromCluster === undefined
      ? await readPolicies(paths.slice(0, 1), others, env)
      : await readPolicies([], { ...others, cluster: fromCluster }, env);
  return old && now ? ([old, { ...now, version: flags.serverVersion ?? old.version }] as const) : undefined;
}

interface Pair {
  /** Absent for policies that are not compared by name. */
  readonly name?: string;
  readonly before: readonly NamedAclPolicy[];
  readonly after: readonly NamedAclPolicy[];
}

function together(before: readonly NamedAclPolicy[], after: readonly NamedAclPolicy[]): Pair {
  return { before, after };
}

function pairsOf(before: readonly NamedAclPolicy[], after: readonly NamedAclPolicy[]): readonly Pair[] {
  if (before.length === 1 && after.length === 1) return [together(before, after)];
  const key = ({ name, policy: { namespace } }: NamedAclPolicy) => namespace + name;
  const names = [...new Set([...before, ...after].map(key))].sort();
  return names.map((name) => ({
    name,
    before: before.filter((policy) => key(policy) === name),
    after: after.filter((policy) => key(policy) === name),
  }));
}
