import {
  type AclPolicySet,
  comparePolicySets,
  groupChanges,
  isWidening,
  namespacePrefix,
  TooComplexError,
  type NamedAclPolicy,
  POLICY_RESOURCE_TYPES,
} from '../../../model';
import { UserError } from '../../errors';
import { EXIT, type ExitCode } from '../../exit-codes';
import { printWrapped } from '../../output/print';
import { styleFor } from '../../output/style';
import { sidesOfRange } from '../sources/git-revision';
import { identityInFile } from '../sources/identity';
import type { OutputFormatFlags } from '../source-options';
import { printFindings } from '../report/print-findings';
import { parsePolicies, reportFaults, type AclPolicyText } from '../sources/policy-source';
import { chosen, readTexts, setOf, type SourceFlags, versionOf } from '../sources/read-set';
import { mermaidOf } from '../../../view/picture/mermaid';
import { pictureOfPlan } from '../../plan-picture/picture-of-plan';
import { setsIn } from '../../plan-picture/sets-in-plan';
import {
  comparisonFindings,
  type ComparedPolicies,
  type FailOn,
  type ComparisonResult,
  type Sides,
} from './comparison-findings';
import { checkCeiling, limitedByFlags, withCeiling, type AgentFlags } from './agent-limits';
import { changeJson, sensitiveJson, type ChangeJson, type SensitiveJson } from './json';
import { changeLines, sensitiveLines, rulesLine } from './messages';
import { isRecord, visible, type JsonRecord } from '../../../text';
import { changesInPlan } from '../../plan/read-plan';
import { textOf } from '../../plan/values';

/** The changes of ACL policies in a plan. */
interface PlannedPolicies {
  readonly before: readonly AclPolicyText[];
  readonly after: readonly AclPolicyText[];
  /** The addresses of resources whose text is known only during the apply. */
  readonly unknown: readonly string[];
}

export interface DiffFlags extends SourceFlags, AgentFlags, OutputFormatFlags {
  readonly fromCluster?: string;
  /** A file with a plan in JSON. */
  readonly plan?: string;
  readonly together?: boolean;
  readonly failOn?: FailOn;
}

/** The JSON that `policy diff` prints. @public */
export interface DiffReport {
  /** The version of the server whose rules were followed. */
  readonly serverVersion: string;
  /** The policies that allow other requests than before. */
  readonly policies: readonly {
    /** Absent if all policies of a side are compared together. */
    readonly name?: string | undefined;
    /**
     * The dangerous things that holders of the policy may do now, such as `grant itself any
     * policy`.
     */
    readonly sensitive: readonly SensitiveJson[];
    readonly changes: readonly ChangeJson[];
  }[];
  /** Policies of a plan that are known only when it is applied. Absent if there are none. */
  readonly unknown?: readonly string[];
  /** Why policies were not compared. Absent if all were. */
  readonly notCompared?: readonly string[];
}

/**
 * Compares policies: each with the policy of the same name, or all together as those of one token.
 */
export async function comparePolicies(
  paths: readonly string[],
  flags: DiffFlags,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const sides = await bothSides(paths, flags, env);
  if (!sides) return EXIT.unknown;
  const { old, now, isOneToken, rules, faults, unknown = [] } = sides;
  const faulty = new Set(faults.map(keyOf));
  const pairs = isOneToken ? [together(old, now)] : pairsOf(old, now, faulty, flags.plan !== undefined);
  const notCompared: string[] = [];
  const compared = pairs.map(({ name, before, after }): ComparedPolicies => {
    try {
      const [old, now] = [before, after].map((side) => limitedSide(setOf(side, rules), flags));
      return { name, ...comparePolicySets(old!, now!) };
    } catch (error) {
      if (!(error instanceof TooComplexError)) throw error;
      notCompared.push(error.message);
      return { name, changes: [], sensitive: [] };
    }
  });
  const changed = compared.filter(({ changes }) => changes.length > 0);
  const found: ComparisonResult = { changed, unknown, notCompared, faults };
  printFindings(process.stdout, flags, {
    text: () => printComparison(found, sides, env),
    json: (): DiffReport => ({
      serverVersion: rules.version,
      policies: changed.map(({ name, changes, sensitive }) => ({
        name,
        sensitive: sensitive.map(sensitiveJson),
        changes: changes.map(changeJson),
      })),
      ...(unknown.length > 0 && { unknown }),
      ...(notCompared.length > 0 && { notCompared }),
    }),
    findings: () => ({
      ...comparisonFindings(found, sides, flags.failOn),
      ...(sides.planned && { picture: pictureIn(sides.planned) }),
    }),
  });
  return reportFaults(faults, exitCode(flags, found));
}

function printComparison(
  { changed, unknown, notCompared }: ComparisonResult,
  { rules, isOneToken, old, now }: Sides,
  env: NodeJS.ProcessEnv,
): void {
  const style = styleFor(process.stdout, env);
  const sensitive = changed.flatMap((each) =>
    sensitiveLines(each.sensitive, each.name ?? 'the token', style),
  );
  const lines = changed.flatMap(({ name, changes }, index) => [
    ...(index > 0 ? [''] : []),
    ...(name === undefined ? [] : [style.strong(name)]),
    ...groupChanges(changes).flatMap((group) =>
      changeLines(group, style, isOneToken && old.length + now.length > 2),
    ),
  ]);
  const late = [
    ...unknown.map((place) => `? ${place}: the policy is known only when the plan is applied`),
    ...notCompared.flatMap((message) => `? not compared: ${message}`.split('\n')),
  ];
  const parts = [sensitive, lines, late].filter(({ length }) => length > 0);
  const all = parts.length > 0 ? parts : [['The policies allow the same requests.']];
  printWrapped(process.stdout, [...all.flatMap((part) => [...part, '']), rulesLine(rules, style)]);
}

/** Returns the picture of a plan's changes of replication sets; empty if there are none. */
function pictureIn(changes: readonly JsonRecord[]): string {
  const sets = setsIn(changes);
  return sets.length > 0 ? mermaidOf(pictureOfPlan(sets)) : '';
}

/**
 * Returns the policies of one side with the limits of an agent. A side may have no policy of the
 * ceiling.
 */
function limitedSide(set: AclPolicySet, flags: DiffFlags): AclPolicySet {
  const names = flags.ceiling?.filter((name) => set.names.includes(name));
  return limitedByFlags(set, [], { ...flags, ceiling: names });
}

function exitCode({ failOn }: DiffFlags, { changed, unknown, notCompared }: ComparisonResult): ExitCode {
  const isUnknown = unknown.length > 0;
  const fails: Readonly<Record<FailOn, boolean>> = {
    sensitive: isUnknown || changed.some(({ sensitive }) => sensitive.length > 0),
    widening: isUnknown || changed.some(({ changes }) => changes.some(isWidening)),
    change: isUnknown || changed.length > 0,
  };
  if (failOn && fails[failOn]) return EXIT.problems;
  return notCompared.length > 0 ? EXIT.unknown : EXIT.ok;
}

/** Whether the policies are compared as those of one token. Limits always belong to one token. */
function isOneToken({ together, ceiling, authorizationDetails }: DiffFlags): boolean {
  return together === true || ceiling !== undefined || authorizationDetails !== undefined;
}

/** Returns the name of a policy with its namespace. */
function keyOf({ name, namespace }: { readonly name: string; readonly namespace: string }): string {
  return namespace + name;
}

/** @returns `undefined` if the cluster did not answer; this is reported already. */
async function bothSides(
  sources: readonly string[],
  flags: DiffFlags,
  env: NodeJS.ProcessEnv,
): Promise<Sides | undefined> {
  const { fromCluster, policy, ...others } = withCeiling(flags);
  const [first = '', second, ...more] = sources;
  const range = more.length > 0 || fromCluster !== undefined ? undefined : sidesOfRange(first, second);
  const paths = range ?? sources;
  if (flags.plan !== undefined) return ofPlan(flags.plan, paths, flags);
  const { tokenAccessor, entity, role, ...ofBoth } = others;
  if (fromCluster === undefined && (tokenAccessor ?? entity ?? role) !== undefined)
    throw new UserError('--token-accessor, --entity and --role require --from-cluster');
  const expected = fromCluster === undefined ? 2 : 1;
  if (paths.length !== expected) {
    throw new UserError(
      fromCluster === undefined
        ? {
            summary: 'expected two sources: the old policies and the new ones',
            cures: 'specify both, or the new ones and --from-cluster',
          }
        : 'expected one source with --from-cluster: the new policies',
    );
  }
  const old =
    fromCluster === undefined
      ? await readTexts(paths.slice(0, 1), ofBoth, env)
      : await readTexts([], { ...others, cluster: fromCluster }, env);
  const now = old && (await readTexts(paths.slice(-1), ofBoth, env));
  if (!old || !now) return undefined;
  const { names, version, origin, settings, identity = now.identity } = old;
  const kept = names && [...names, ...(flags.ceiling ?? [])];
  const ofHolder = kept ? now.texts.filter(({ name }) => kept.includes(name)) : now.texts;
  const wanted = new Set(chosen([...old.texts, ...ofHolder], policy).map(({ name }) => name));
  const side = (texts: readonly AclPolicyText[]) =>
    parsePolicies(
      texts.filter(({ name }) => wanted.has(name)),
      version,
    );
  const [before, after] = [side(old.texts), side(ofHolder)];
  const all = [before, after].flatMap(({ policies, faults }) => [...policies, ...faults]);
  checkCeiling(all, flags);
  return {
    old: before.policies,
    now: after.policies,
    isOneToken: isOneToken(flags) || names !== undefined,
    rules: { version, origin, ...(settings && { settings }), ...(identity && { identity }) },
    faults: [...before.faults, ...after.faults],
  };
}

function ofPlan(plan: string, paths: readonly string[], flags: DiffFlags): Sides {
  const { fromCluster, tokenAccessor, entity, role, policy, identity: file } = flags;
  const other = fromCluster ?? tokenAccessor ?? entity ?? role ?? policy;
  if (paths.length > 0 || other !== undefined)
    throw new UserError('--plan is compared with itself: it takes no sources, clusters, holders or names');
  const planned = changesInPlan(plan);
  const { before, after, unknown } = policiesIn(planned);
  const [old, now] = [parsePolicies(before, flags.serverVersion), parsePolicies(after, flags.serverVersion)];
  const identity = file === undefined ? undefined : identityInFile(file);
  return {
    old: old.policies,
    now: now.policies,
    isOneToken: isOneToken(flags),
    rules: {
      ...versionOf(flags.serverVersion),
      ...(flags.serverSetting && { settings: flags.serverSetting }),
      ...(identity && { identity }),
    },
    faults: [...old.faults, ...now.faults],
    unknown,
    planned,
  };
}

interface Pair {
  /** The name. Absent for policies that are not compared by name. */
  readonly name?: string;
  readonly before: readonly NamedAclPolicy[];
  readonly after: readonly NamedAclPolicy[];
}

function together(before: readonly NamedAclPolicy[], after: readonly NamedAclPolicy[]): Pair {
  return { before, after };
}

/** @param faulty the policies that cannot be compared, by namespace and name. */
function pairsOf(
  before: readonly NamedAclPolicy[],
  after: readonly NamedAclPolicy[],
  faulty: ReadonlySet<string>,
  alwaysNamed: boolean,
): readonly Pair[] {
  if (before.length === 1 && after.length === 1 && faulty.size === 0 && !alwaysNamed)
    return [together(before, after)];
  // The valid policy and the faulty one may be the two sides of one comparison, although their
  // names differ.
  if (before.length + after.length === 1 && faulty.size === 1) return [];
  const key = ({ name, policy }: NamedAclPolicy) => keyOf({ name, namespace: policy.namespace });
  const pairs = new Map<string, Record<'before' | 'after', NamedAclPolicy[]>>();
  for (const [side, policies] of Object.entries({ before, after })) {
    for (const policy of policies) {
      const pair = pairs.get(key(policy)) ?? { before: [], after: [] };
      pair[side as 'before' | 'after'].push(policy);
      pairs.set(key(policy), pair);
    }
  }
  const named = [...pairs].filter(([name]) => !faulty.has(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  return named.map(([name, pair]) => ({ name, ...pair }));
}

/**
 * Returns the policies that a plan changes, creates or deletes, of the resources of this provider
 * and of hashicorp/vault.
 */
function policiesIn(planned: readonly JsonRecord[]): PlannedPolicies {
  const changes = planned.filter(
    ({ mode, type }) => mode === 'managed' && POLICY_RESOURCE_TYPES[textOf(type)] === 'acl',
  );
  const found = { before: [] as AclPolicyText[], after: [] as AclPolicyText[], unknown: [] as string[] };
  for (const { address, change } of changes) {
    const { actions, before, after, after_unknown: unknown } = isRecord(change) ? change : {};
    if (['no-op', 'read', 'forget'].includes(String(actions))) continue;
    const place = visible(textOf(address));
    if (isRecord(unknown) && (unknown['policy'] === true || unknown['name'] === true)) {
      found.unknown.push(place);
      continue;
    }
    found.before.push(...policyOf(before, place));
    found.after.push(...policyOf(after, place));
  }
  return found;
}

function policyOf(values: unknown, place: string): readonly AclPolicyText[] {
  if (!isRecord(values)) return [];
  const { name, policy, namespace } = values;
  if (typeof name !== 'string' || typeof policy !== 'string') return [];
  return [{ name: name.toLowerCase(), place, namespace: namespacePrefix(textOf(namespace)), text: policy }];
}
