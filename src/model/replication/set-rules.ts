import type { FieldValues, Finding, ObjectDefinition } from '../definition/field';
import { fieldsRule } from '../definition/rules';
import { validate } from '../definition/validate';
import { clusterAddressProblem } from './address-rules';
import {
  confirmsLossOf,
  REPLICATION_SET,
  REPLICATION_SET_ADDRESSES,
  REPLICATION_SET_FILTER,
  REPLICATION_SET_SECONDARY,
} from './set';

/** A finding on a replication set, and where in the set it is. */
export interface SetFinding {
  readonly finding: Finding;
  /** What the field belongs to, for messages. */
  readonly definition: Pick<ObjectDefinition, 'title' | 'fields'>;
  /** The name of the cluster that it is about. Absent: the set itself. */
  readonly name?: string;
  /** The field, as Terraform finds it from the set. */
  readonly path: readonly string[];
}

/** What is configured of a secondary. What is left out is absent, `undefined` or `null`. */
export interface SecondaryValues {
  readonly fields: FieldValues;
  readonly filter?: FieldValues;
  /** Whether it is not known yet if there is a filter. */
  readonly isFilterOpen?: boolean;
}

/** Whether a value is not known yet. Rules about it wait. */
type IsUnknown = (value: unknown) => boolean;

/**
 * Checks a set's own fields.
 *
 * @param secondaries the names of the clusters that are to be its secondaries, as far as they are known.
 */
export function validateSetFields(
  set: FieldValues,
  secondaries: readonly string[],
  isUnknown: IsUnknown,
): readonly SetFinding[] {
  const { primary, abandoned_clusters: abandoned, primary_cluster_addr: address } = set;
  const { [REPLICATION_SET_ADDRESSES.name]: addresses, ...fields } = set;
  return [
    ...findings(REPLICATION_SET, fields, isUnknown, []),
    ...(isUnknown(addresses) || isUnknown(primary)
      ? []
      : addressProblems(addresses, address, [primary, ...secondaries])),
    ...secondaries.filter((name) => name === primary).map(primaryAmongSecondaries),
    ...(isUnknown(abandoned) ? [] : abandonedMembers(abandoned, [primary, ...secondaries])),
  ];
}

/**
 * Checks the secondaries of a set.
 *
 * @param secondaries by the names of their clusters.
 */
export function validateSecondaries(
  secondaries: Readonly<Record<string, SecondaryValues>>,
  isUnknown: IsUnknown,
): readonly SetFinding[] {
  const entries = Object.entries(secondaries);
  const ids = entries.map(([name, { fields }]) => [name, fields.id ?? name] as const);
  return [
    ...entries.flatMap(([name, { fields, filter, isFilterOpen = false }]) => [
      ...findings(secondaryNamed(name), fields, isUnknown, ['secondaries', name], name),
      ...(isFilterOpen || isUnknown(fields.everything)
        ? []
        : choiceOfPaths(name, fields.everything === true, filter !== undefined)),
      ...(filter
        ? findings(REPLICATION_SET_FILTER, filter, isUnknown, ['secondaries', name, 'paths_filter'], name)
        : []),
    ]),
    ...repeatedIds(ids.filter(([, id]) => !isUnknown(id))),
  ];
}

function findings(
  definition: Pick<ObjectDefinition, 'title' | 'fields' | 'rules'>,
  values: FieldValues,
  isUnknown: IsUnknown,
  path: readonly string[],
  name?: string,
): readonly SetFinding[] {
  const unknown = new Set(Object.keys(values).filter((field) => isUnknown(values[field])));
  return validate(definition, values, unknown).map((finding) => ({
    finding,
    definition,
    name,
    path: [...path, finding.field],
  }));
}

/** A confirmation counts for one cluster alone. */
function secondaryNamed(name: string) {
  const confirmsItself = fieldsRule(['confirm_data_loss'], 'confirms-itself', '3', ({ confirm_data_loss }) =>
    typeof confirm_data_loss === 'string' && !confirmsLossOf(name, confirm_data_loss)
      ? {
          problem: 'must repeat the name of the cluster',
          received: JSON.stringify(confirm_data_loss),
          allowed: JSON.stringify(name),
          cure: `write ${JSON.stringify(name)} if everything that the cluster holds may be erased; otherwise remove it`,
        }
      : undefined,
  );
  const { title, fields, rules } = REPLICATION_SET_SECONDARY;
  return { title, fields, rules: [...rules, confirmsItself] };
}

/** What a secondary receives is said: a forgotten filter would send data that was to be held back. */
function choiceOfPaths(name: string, everything: boolean, filtered: boolean): readonly SetFinding[] {
  if (everything !== filtered) return [];
  const received = everything
    ? 'everything = true and paths_filter'
    : 'neither everything = true nor paths_filter';
  const finding: Finding = {
    severity: 'error',
    rule: 'everything-or-filter',
    field: everything ? 'everything' : 'paths_filter',
    problem: everything ? 'cannot be true together with a paths_filter' : 'or everything = true is required',
    received,
    allowed: 'one of the two',
    cure: everything
      ? 'remove everything, or paths_filter'
      : 'check the spelling of paths_filter (Terraform drops unknown names here), or set everything = true if the ' +
        'secondary may receive everything',
  };
  return [
    { definition: REPLICATION_SET_SECONDARY, name, path: ['secondaries', name, finding.field], finding },
  ];
}

function primaryAmongSecondaries(primary: string): SetFinding {
  return ofSet(['secondaries', primary], {
    rule: 'primary-is-no-secondary',
    field: 'secondaries',
    problem: 'must not contain the primary',
    received: JSON.stringify(primary),
    allowed: 'the other clusters of the set',
    cure: `remove ${JSON.stringify(primary)} from secondaries, or set primary to another cluster`,
  });
}

/** Issuing a token for an id disconnects whoever has that id. */
function repeatedIds(ids: readonly (readonly [name: string, id: unknown])[]): readonly SetFinding[] {
  return ids.flatMap(([name, id], index) => {
    const [first] = ids.slice(0, index).find(([, other]) => other === id) ?? [];
    if (first === undefined) return [];
    return [
      {
        definition: REPLICATION_SET_SECONDARY,
        name,
        path: ['secondaries', name, 'id'],
        finding: {
          severity: 'error',
          rule: 'id-unique',
          field: 'id',
          problem: `is also the id of ${JSON.stringify(first)}`,
          received: JSON.stringify(id),
          allowed: 'a unique id for each secondary',
          cure: 'change one of them, or remove id: its default is the name of the cluster',
        },
      },
    ];
  });
}

function abandonedMembers(abandoned: unknown, members: readonly unknown[]): readonly SetFinding[] {
  const names = Array.isArray(abandoned) ? (abandoned as readonly unknown[]) : [];
  return names
    .filter((name) => members.includes(name))
    .map((name) =>
      ofSet(['abandoned_clusters'], {
        rule: 'abandoned-is-no-member',
        field: 'abandoned_clusters',
        problem: 'must not contain a cluster of the set',
        received: JSON.stringify(name),
        allowed: 'clusters that are gone for good',
        cure: `remove ${JSON.stringify(name)} from abandoned_clusters or from the set`,
      }),
    );
}

/** An address under a misspelled name would not be used, and nobody would notice before the switchover. */
function addressProblems(
  addresses: unknown,
  address: unknown,
  members: readonly unknown[],
): readonly SetFinding[] {
  if (addresses === undefined || addresses === null) return [];
  const field = REPLICATION_SET_ADDRESSES.name;
  const unknownNames = Object.keys(addresses).filter((name) => !members.includes(name));
  return [
    ...unknownNames.map((name) =>
      ofSet([field], {
        rule: 'addresses-of-members',
        field,
        problem: 'must only name clusters of the set',
        received: JSON.stringify(name),
        allowed: members.map((each) => JSON.stringify(each)).join(', '),
        cure: `correct the name, or remove ${JSON.stringify(name)}`,
      }),
    ),
    ...Object.entries(addresses).flatMap(([name, each]) => {
      const problem = typeof each === 'string' ? clusterAddressProblem(each) : undefined;
      return problem
        ? [
            ofSet([field, name], {
              rule: 'addresses-are-addresses',
              field,
              ...problem,
              problem: `of ${JSON.stringify(name)} ${problem.problem}`,
            }),
          ]
        : [];
    }),
    ...(address === undefined || address === null
      ? []
      : [
          ofSet([field], {
            rule: 'addresses-or-address',
            field,
            problem: 'cannot be set together with primary_cluster_addr',
            received: 'both',
            allowed: 'one of the two',
            cure: 'remove primary_cluster_addr',
          }),
        ]),
  ];
}

function ofSet(path: readonly string[], finding: Omit<Finding, 'severity'>): SetFinding {
  return { definition: REPLICATION_SET, path, finding: { severity: 'error', ...finding } };
}
