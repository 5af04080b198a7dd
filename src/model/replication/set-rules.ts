/** The rules of a replication set and its secondaries, besides the facts of their fields. */
import { stringSet } from '../definition/coerce';
import type { FieldValues, Rule } from '../definition/field';
import { fieldsRule } from '../definition/rules';
import { clusterAddressProblem } from './address-rules';
import { either, field, phrase, remove, set, literal, literals } from '../messages';

/** The facts that rules of a set need besides its fields. */
export interface SetRuleFacts {
  /** The names of the secondaries. */
  readonly secondaries: readonly string[];
  /**
   * The names of the clusters with an address in `primary_cluster_addrs`, which may not be known
   * yet.
   */
  readonly addressed: readonly string[];
}

/** The facts that rules of a secondary need besides its fields. */
export interface SecondaryRuleFacts {
  /** The name of its cluster. */
  readonly cluster: string;
  /** The paths filter; null if the secondary has none. */
  readonly paths_filter: unknown;
  /** The ids of the secondaries that are listed before it, by the names of their clusters. */
  readonly earlier_ids: Readonly<Record<string, unknown>>;
}

const FORCE_NAMES_PRIMARY = fieldsRule(
  ['force_promotion', 'primary'],
  'force-names-primary',
  ({ force_promotion, primary }) =>
    typeof force_promotion === 'string' && force_promotion !== primary
      ? {
          problem: 'must name the primary',
          received: literal(force_promotion),
          allowed: literal(primary),
          cure: 'remove it, unless the old primary is lost',
        }
      : undefined,
);

/**
 * The rule that `primary_cluster_addrs` has only names of members. An address under a misspelled
 * name would not be used, and nobody would notice before the switchover.
 */
const ADDRESSES_OF_MEMBERS = fieldsRule(
  ['primary_cluster_addrs', 'primary', 'secondaries', 'addressed'],
  'addresses-of-members',
  (values) => {
    const members = membersIn(values);
    return (stringSet(values.addressed ?? []) ?? [])
      .filter((name) => !members.includes(name))
      .map((name) => ({
        problem: 'must only name clusters of the set',
        received: literal(name),
        allowed: literals(members),
        cure: `correct the name, or remove ${JSON.stringify(name)}`,
      }));
  },
);

const ADDRESSES_ARE_ADDRESSES = fieldsRule(['primary_cluster_addrs'], 'addresses-are-addresses', (values) =>
  addressesIn(values).flatMap(([name, address]) => {
    const found = clusterAddressProblem(address);
    return found ? [{ ...found, key: name, problem: phrase`of ${literal(name)} ${found.problem}` }] : [];
  }),
);

const ADDRESSES_OR_ADDRESS = fieldsRule(
  ['primary_cluster_addrs', 'primary_cluster_addr'],
  'addresses-or-address',
  ({ primary_cluster_addrs: addresses, primary_cluster_addr: address }) =>
    hasValue(addresses) && hasValue(address)
      ? {
          problem: phrase`cannot be set together with ${field('primary_cluster_addr')}`,
          received: 'both',
          allowed: 'one of the two',
          cure: remove('primary_cluster_addr'),
        }
      : undefined,
);

const PRIMARY_IS_NO_SECONDARY = fieldsRule(
  ['secondaries', 'primary'],
  'primary-is-no-secondary',
  ({ primary, secondaries }) =>
    (stringSet(secondaries) ?? [])
      .filter((name) => name === primary)
      .map((name) => ({
        key: name,
        problem: 'must not contain the primary',
        received: literal(name),
        allowed: 'the other clusters of the set',
        cure: either(
          phrase`remove ${literal(name)} from ${field('secondaries')}`,
          set('primary', 'another cluster'),
        ),
      })),
);

const ABANDONED_IS_NO_MEMBER = fieldsRule(
  ['abandoned_clusters', 'primary', 'secondaries'],
  'abandoned-is-no-member',
  (values) => {
    const members = membersIn(values);
    return (stringSet(values.abandoned_clusters ?? []) ?? [])
      .filter((name) => members.includes(name))
      .map((name) => ({
        problem: 'must not contain a cluster of the set',
        received: literal(name),
        allowed: 'clusters that are gone for good',
        cure: phrase`remove ${literal(name)} from ${field('abandoned_clusters')} or from the set`,
      }));
  },
);

/** The rules of a set. Besides its fields, they read {@link SetRuleFacts}. */
export const SET_RULES: readonly Rule[] = [
  FORCE_NAMES_PRIMARY,
  ADDRESSES_OF_MEMBERS,
  ADDRESSES_ARE_ADDRESSES,
  ADDRESSES_OR_ADDRESS,
  PRIMARY_IS_NO_SECONDARY,
  ABANDONED_IS_NO_MEMBER,
];

/**
 * The rule that a confirmation names its own cluster, so that it cannot be valid for another one.
 */
const CONFIRMS_ITSELF = fieldsRule(
  ['confirm_data_loss', 'cluster'],
  'confirms-itself',
  ({ confirm_data_loss, cluster }) =>
    typeof confirm_data_loss === 'string' && !confirmsLossOf(String(cluster), confirm_data_loss)
      ? {
          problem: 'must repeat the name of the cluster',
          received: literal(confirm_data_loss),
          allowed: literal(cluster),
          cure: `write ${JSON.stringify(cluster)} if everything that the cluster holds may be erased; otherwise remove it`,
        }
      : undefined,
);

/**
 * Whether `confirm_data_loss` is for a cluster: its name, possibly with further text after a space
 * that makes it a new confirmation.
 */
export function confirmsLossOf(cluster: string, confirmation: string): boolean {
  return confirmation === cluster || confirmation.startsWith(`${cluster} `);
}

/**
 * The rule that a secondary with `everything` has no filter. With the next rule, every secondary
 * has exactly one of them, so that a forgotten filter does not replicate data that must stay on the
 * primary.
 */
const EVERYTHING_IS_UNFILTERED = fieldsRule(
  ['everything', 'paths_filter'],
  'everything-or-filter',
  ({ everything, paths_filter }) =>
    everything === true && hasValue(paths_filter)
      ? {
          problem: phrase`cannot be ${literal(true)} together with a ${field('paths_filter')}`,
          received: phrase`${field('everything', true)} and ${field('paths_filter')}`,
          allowed: 'one of the two',
          cure: phrase`${remove('everything')}, or ${field('paths_filter')}`,
        }
      : undefined,
);

const FILTER_OR_EVERYTHING = fieldsRule(
  ['paths_filter', 'everything'],
  'everything-or-filter',
  ({ everything, paths_filter }) =>
    everything !== true && !hasValue(paths_filter)
      ? {
          problem: phrase`or ${field('everything', true)} is required`,
          received: phrase`neither ${field('everything', true)} nor ${field('paths_filter')}`,
          allowed: 'one of the two',
          cure: either(
            phrase`check the spelling of ${field('paths_filter')} (Terraform drops unknown names here)`,
            phrase`set ${field('everything', true)} if the secondary may receive everything`,
          ),
        }
      : undefined,
);

/** The rule that ids are unique: a new token for an id disconnects the secondary that has it. */
const ID_UNIQUE = fieldsRule(
  ['id', 'cluster', 'earlier_ids'],
  'id-unique',
  ({ id, cluster, earlier_ids: earlier }) => {
    const own = id ?? cluster;
    const [first] = Object.entries(earlier ?? {}).find(([, other]) => other === own) ?? [];
    if (first === undefined) return undefined;
    return {
      problem: `is also the id of ${JSON.stringify(first)}`,
      received: literal(own),
      allowed: 'a unique id for each secondary',
      cure: phrase`change one of them, or ${remove('id')}: its default is the name of the cluster`,
    };
  },
);

/** The rules of a secondary. Besides its fields, they read {@link SecondaryRuleFacts}. */
export const SET_SECONDARY_RULES: readonly Rule[] = [
  CONFIRMS_ITSELF,
  EVERYTHING_IS_UNFILTERED,
  FILTER_OR_EVERYTHING,
  ID_UNIQUE,
];

function membersIn({ primary, secondaries }: FieldValues): readonly string[] {
  return [...(stringSet([primary]) ?? []), ...(stringSet(secondaries) ?? [])];
}

function addressesIn({ primary_cluster_addrs: addresses }: FieldValues): readonly [string, string][] {
  return Object.entries((addresses ?? {}) as Readonly<Record<string, string>>);
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null;
}
