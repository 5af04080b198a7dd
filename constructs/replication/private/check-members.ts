import type { IConstruct } from 'constructs';
import { describeFinding, SECONDARY_TOKEN, validate } from '../../../src/model';
import type { IVaultCluster } from '../../clusters/cluster';
import { invalidProps } from '../../private/messages';
import { isUnknown } from '../../private/known';
import type { PerfReplicationMember } from '../member';
import type { PerfReplicationOptions } from '../set-options';

/** The set that each cluster is in, over all stacks of the app. */
const sets = new WeakMap<IVaultCluster, IConstruct>();

/** @throws Error for clusters that cannot make a set. */
export function checkMembers(
  set: IConstruct,
  primary: IVaultCluster,
  members: readonly PerfReplicationMember[],
  options: PerfReplicationOptions,
): void {
  const problems = [
    ...primaryProblems(primary, members),
    ...repeatedProblems(members),
    ...otherSetProblems(set, members),
    ...members.flatMap(memberProblems),
    ...forceProblems(primary, options),
    ...formerProblems(members, options),
  ].map((problem) => `performance replication set: ${problem}`);
  if (problems.length > 0) throw invalidProps(set, problems);
  for (const { cluster } of members) sets.set(cluster, set);
}

function primaryProblems(primary: IVaultCluster, members: readonly PerfReplicationMember[]): string[] {
  if (members.some(({ cluster }) => cluster === primary)) return [];
  return [
    `primary is ${JSON.stringify(primary.name)}, which is not among the members; allowed: ${namesOf(members)}; ` +
      'add it to members, or name one of them',
  ];
}

function repeatedProblems(members: readonly PerfReplicationMember[]): string[] {
  const seen = new Set<string>();
  return members.flatMap(({ cluster, secondaryId = cluster.name }) => {
    const ids = [`name ${JSON.stringify(cluster.name)}`, `id ${JSON.stringify(secondaryId)}`];
    const repeated = ids.find((id) => seen.has(id));
    for (const id of ids) seen.add(id);
    return repeated === undefined
      ? []
      : [`two members have the ${repeated}; allowed: each cluster once, under an id of its own`];
  });
}

function otherSetProblems(set: IConstruct, members: readonly PerfReplicationMember[]): string[] {
  return members.flatMap(({ cluster }) => {
    const other = sets.get(cluster);
    return other === undefined || other === set
      ? []
      : [
          `cluster ${JSON.stringify(cluster.name)} is in the set [${other.node.path}] already; ` +
            'allowed: one set, with one primary, for each cluster; take it out of one of the two',
        ];
  });
}

function memberProblems({ cluster, secondaryId, confirmDataLoss }: PerfReplicationMember): string[] {
  const problems: string[] = [];
  if (confirmDataLoss !== undefined && !isUnknown(confirmDataLoss) && confirmDataLoss !== cluster.name) {
    problems.push(
      `confirmDataLoss of ${JSON.stringify(cluster.name)} is ${JSON.stringify(confirmDataLoss)}; ` +
        `allowed: the name of that very cluster; write ${JSON.stringify(cluster.name)} to have it erased, or leave it out`,
    );
  }
  if (secondaryId !== undefined && !isUnknown(secondaryId)) {
    problems.push(
      ...validate(SECONDARY_TOKEN, { secondary_id: secondaryId })
        .filter(({ severity, field }) => severity === 'error' && field === 'secondary_id')
        .map((finding) => describeFinding(SECONDARY_TOKEN, secondaryId, finding).line),
    );
  }
  return problems;
}

function forceProblems(primary: IVaultCluster, { forcePromotion }: PerfReplicationOptions): string[] {
  if (forcePromotion === undefined || isUnknown(forcePromotion) || forcePromotion === primary.name) return [];
  return [
    `forcePromotion is ${JSON.stringify(forcePromotion)}; allowed: the name of the primary, ` +
      `${JSON.stringify(primary.name)}; leave it out for a planned switch-over`,
  ];
}

function formerProblems(
  members: readonly PerfReplicationMember[],
  { formerMembers = [] }: PerfReplicationOptions,
): string[] {
  return formerMembers
    .filter((former) => members.some(({ cluster }) => cluster === former))
    .map(({ name }) => `${JSON.stringify(name)} is in members and in formerMembers; allowed: one of the two`);
}

function namesOf(members: readonly PerfReplicationMember[]): string {
  return members.map(({ cluster }) => JSON.stringify(cluster.name)).join(', ') || 'none, members is empty';
}
