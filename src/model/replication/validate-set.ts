import type { FieldValues, Finding, ObjectDefinition } from '../definition/field';
import { validate } from '../definition/validate';
import { REPLICATION_SET, REPLICATION_SET_FILTER, REPLICATION_SET_SECONDARY } from './set';
import type { SecondaryRuleFacts, SetRuleFacts } from './set-rules';

/** A finding on a replication set, with its place in the set. */
export interface ReplicationSetFinding {
  readonly finding: Finding;
  /** The kind of object that the field belongs to, for messages. */
  readonly definition: Pick<ObjectDefinition, 'title' | 'fields'>;
  /** The name of the secondary's cluster. Absent if the finding is about the set itself. */
  readonly name?: string;
  /** The path of the field in Terraform's schema, beginning at the set. */
  readonly path: readonly string[];
}

/**
 * The configured values of a secondary. A field that is left out is absent, `undefined` or `null`.
 */
export interface SecondaryValues {
  readonly fields: FieldValues;
  /**
   * The fields of its filter. A symbol means that it is not known yet whether there is a filter.
   */
  readonly filter?: FieldValues | symbol | undefined;
}

/** Returns whether a value is not known yet. Rules about such a value are not checked. */
type IsUnknown = (value: unknown) => boolean;

/**
 * Checks a set's own fields.
 *
 * @param secondaries the known names of its future secondaries.
 */
export function validateSetFields(
  fields: FieldValues,
  secondaries: readonly string[],
  isUnknown: IsUnknown,
): readonly ReplicationSetFinding[] {
  const { primary_cluster_addrs: addresses } = fields;
  const entries = typeof addresses === 'object' && addresses !== null ? Object.entries(addresses) : undefined;
  const facts: SetRuleFacts = { secondaries, addressed: entries?.map(([name]) => name) ?? [] };
  const known = entries && {
    primary_cluster_addrs: Object.fromEntries(entries.filter(([, address]) => !isUnknown(address))),
  };
  return findings(REPLICATION_SET, { ...fields, ...known, ...facts }, isUnknown, []);
}

/**
 * Checks the secondaries of a set.
 *
 * @param secondaries the secondaries by the names of their clusters.
 */
export function validateSecondaries(
  secondaries: Readonly<Record<string, SecondaryValues>>,
  isUnknown: IsUnknown,
): readonly ReplicationSetFinding[] {
  const entries = Object.entries(secondaries);
  const ids = entries.map(([name, { fields }]) => [name, fields.id ?? name] as const);
  return entries.flatMap(([name, { fields, filter }], index) => {
    const earlier = ids.slice(0, index).filter(([, id]) => !isUnknown(id));
    const facts: SecondaryRuleFacts = {
      cluster: name,
      paths_filter: typeof filter === 'object' ? true : filter,
      earlier_ids: Object.fromEntries(earlier),
    };
    const path = ['secondaries', name];
    return [
      ...findings(REPLICATION_SET_SECONDARY, { ...fields, ...facts }, isUnknown, path, name),
      ...(typeof filter === 'object'
        ? findings(REPLICATION_SET_FILTER, filter, isUnknown, [...path, 'paths_filter'], name)
        : []),
    ];
  });
}

function findings(
  definition: Pick<ObjectDefinition, 'title' | 'fields' | 'rules'>,
  values: FieldValues,
  isUnknown: IsUnknown,
  path: readonly string[],
  name?: string,
): readonly ReplicationSetFinding[] {
  const unknown = new Set(Object.keys(values).filter((field) => isUnknown(values[field])));
  return validate(definition, values, unknown).map((finding) => ({
    finding,
    definition,
    ...(name !== undefined && { name }),
    path: [...path, finding.field, ...(finding.key === undefined ? [] : [finding.key])],
  }));
}
