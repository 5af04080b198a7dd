import type { Construct, IConstruct } from 'constructs';
import {
  REPLICATION_SET,
  validateSecondaries,
  validateSetFields,
  type FieldValues,
  type SecondaryValues,
} from '../../../src/model';
import type { IVaultCluster } from '../../clusters/cluster';
import { asFields } from '../../private/arguments';
import { asTerraformReads, isUnknown } from '../../private/known';
import { errorsIn } from '../../private/checks';
import { refuseConstruct } from '../../private/report';
import type { PerfReplicationMember } from '../member';
import type { PerfReplicationOptions } from '../set-options';
import { literal, phrase, property, type Phrase } from '../../../src/model/messages';

/** The set that each cluster belongs to, in all stacks of the app. */
const SETS = new WeakMap<IVaultCluster, IConstruct>();

/** Refuses clusters that cannot form a set, and options that are not valid. */
export function checkMembers(
  set: Construct,
  primary: IVaultCluster,
  members: readonly PerfReplicationMember[],
  options: PerfReplicationOptions,
): void {
  const ofClusters = [
    ...primaryProblems(primary, members),
    ...repeatedProblems(members),
    ...otherSetProblems(set, members),
    ...formerProblems(members, options),
  ].map((problem) => phrase`${REPLICATION_SET.title}: ${problem}`);
  const problems = [...ofClusters, ...fieldProblems(set, primary, members, options)];
  refuseConstruct(set, problems);
  for (const { cluster } of members) SETS.set(cluster, set);
}

/**
 * Returns the findings of the model on the fields of the set. Shows warnings, and returns errors.
 */
function fieldProblems(
  set: Construct,
  primary: IVaultCluster,
  members: readonly PerfReplicationMember[],
  { forcePromotion, abandonedClusters, primaryClusterAddr, primaryClusterAddrs }: PerfReplicationOptions,
): string[] {
  const fields = {
    primary: primary.name,
    ...asFields({
      forcePromotion,
      abandonedClusters: abandonedClusters?.map(({ name }) => name),
      primaryClusterAddr,
      primaryClusterAddrs,
    }),
  };
  const secondaries = members.filter(({ cluster }) => cluster !== primary);
  return errorsIn(set, [
    ...validateSetFields(
      known(fields),
      secondaries.map(({ cluster }) => cluster.name),
      isUnknown,
    ),
    ...validateSecondaries(
      Object.fromEntries(members.map((member) => [member.cluster.name, valuesOf(member)])),
      isUnknown,
    ),
  ]);
}

function valuesOf({
  cluster: _cluster,
  secondaryId,
  pathsFilter,
  ...settings
}: PerfReplicationMember): SecondaryValues {
  const filter = pathsFilter && { mode: pathsFilter._mode, paths: [...pathsFilter._paths] };
  return {
    fields: known({ ...asFields(settings), id: secondaryId, everything: filter ? undefined : true }),
    ...(filter && { filter: known(filter) }),
  };
}

/** Returns values as Terraform passes them on, including those that only Terraform knows. */
function known(values: FieldValues): FieldValues {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      isUnknown(value) ? value : asTerraformReads(value),
    ]),
  );
}

function primaryProblems(primary: IVaultCluster, members: readonly PerfReplicationMember[]): string[] {
  if (members.some(({ cluster }) => cluster === primary)) return [];
  return [
    `primary is ${JSON.stringify(primary.name)}, which is not among the members; allowed: ${namesOf(members)}; ` +
      'add it to members, or name one of them',
  ];
}

function repeatedProblems(members: readonly PerfReplicationMember[]): string[] {
  const names = members.map(({ cluster }) => cluster.name);
  return names
    .filter((name, index) => names.indexOf(name) < index)
    .map((name) => `two members have the name ${JSON.stringify(name)}; allowed: each cluster once`);
}

function otherSetProblems(set: IConstruct, members: readonly PerfReplicationMember[]): string[] {
  return members.flatMap(({ cluster }) => {
    const other = SETS.get(cluster);
    return other === undefined || other === set
      ? []
      : [
          `cluster ${JSON.stringify(cluster.name)} is in the set [${other.node.path}] already; ` +
            'allowed: one set, with one primary, for each cluster; take it out of one of the two',
        ];
  });
}

function formerProblems(
  members: readonly PerfReplicationMember[],
  { formerMembers = [] }: PerfReplicationOptions,
): Phrase[] {
  return formerMembers
    .filter((former) => members.some(({ cluster }) => cluster === former))
    .map(
      ({ name }) =>
        phrase`${literal(name)} is in members and in ${property('formerMembers')}; allowed: one of the two`,
    );
}

function namesOf(members: readonly PerfReplicationMember[]): string {
  return members.map(({ cluster }) => JSON.stringify(cluster.name)).join(', ') || 'none, members is empty';
}
