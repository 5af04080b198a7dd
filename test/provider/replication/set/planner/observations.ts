/** Short functions that return observations and goals for the planner's tests. */
import { renderPhrase } from '../../../../../src/model/messages';
import {
  inWords,
  refusalsOnTheWay,
  stepsOf,
  planFor,
  type ClusterFacts,
  type Connection,
  type Filter,
  type Goal,
  type Observation,
} from '../../../../../src/provider/replication/set/planner';

export const SET = 'set-1';
export const DENY: Filter = { mode: 'deny', paths: ['legal/'] };

export const fresh: ClusterFacts = { mode: 'disabled', holds: [] };
export const used: ClusterFacts = { mode: 'disabled', holds: ['secrets engine "kv/"'] };

/** A primary with its list of secondaries. */
export function primary(
  secondaries: Readonly<Record<string, Connection>> = {},
  filters: Readonly<Record<string, Filter | null>> = Object.fromEntries(
    Object.keys(secondaries).map((id) => [id, null]),
  ),
  clusterId = SET,
): ClusterFacts {
  return { mode: 'primary', clusterId, clusterAddr: '', secondaries, filters };
}

/** A primary that is known to have all writes of the clusters that stepped down. */
export function heir(hasWritesOf: readonly string[], secondaries: Readonly<Record<string, Connection>> = {}) {
  return { ...primary(secondaries), hasWritesOf } as ClusterFacts;
}

/** A secondary that has received the log up to a position. */
export function upTo(position: number, facts: ClusterFacts, root = `root-${position}`): ClusterFacts {
  return { ...facts, progress: { position, root } } as ClusterFacts;
}

/** A secondary that follows its primary. */
export function secondary(secondaryId: string, clusterId = SET): ClusterFacts {
  return { mode: 'secondary', clusterId, secondaryId, connected: true, alone: false };
}

/** A secondary without a connection, because its primary has stepped down or is gone. */
export function cutOff(secondaryId: string): ClusterFacts {
  return { ...secondary(secondaryId), connected: false } as ClusterFacts;
}

/** A primary that stepped down. */
export function demoted(clusterId = SET): ClusterFacts {
  return { mode: 'secondary', clusterId, secondaryId: '', connected: false, alone: true };
}

export function gone(facts: ClusterFacts): ClusterFacts {
  return { ...facts, unreachable: 'no answer' };
}

interface GoalInWords {
  readonly primary: string;
  /** The filters by the names of clusters; null means no filter. */
  readonly secondaries?: Readonly<Record<string, Filter | null>>;
  readonly ids?: Readonly<Record<string, string>>;
  readonly confirmed?: readonly string[];
  readonly used?: readonly string[];
  readonly forced?: boolean;
  readonly abandoned?: readonly string[];
  readonly address?: string;
  /**
   * The members in Terraform's state. The first one is the primary, and each secondary has its name
   * as its id.
   */
  readonly knows?: readonly [primary: string, ...secondaries: string[]];
  /** The earlier ids of secondaries, by name. */
  readonly leftIds?: readonly string[];
  /** The filters in Terraform's state, by name. */
  readonly filters?: Readonly<Record<string, Filter>>;
}

export function goal({ knows, leftIds = [], filters = {}, ...wanted }: GoalInWords): Goal {
  const { confirmed = [], used: usedUp = [], ids = {} } = wanted;
  const secondaries = Object.entries(wanted.secondaries ?? {}).map(([name, filter]) => {
    const dataLoss = confirmed.includes(name) ? 'confirmed' : usedUp.includes(name) ? 'used' : 'unconfirmed';
    return [name, { id: ids[name] ?? name, filter, dataLoss }] as const;
  });
  const [known, ...others] = knows ?? [];
  return {
    wanted: {
      primary: wanted.primary,
      secondaries: Object.fromEntries(secondaries),
      forced: wanted.forced ?? false,
      abandoned: wanted.abandoned ?? [],
      ...(wanted.address !== undefined && { address: wanted.address }),
    },
    ...(known !== undefined && {
      known: {
        primary: known,
        clusterId: SET,
        ids: Object.fromEntries(others.map((name) => [name, name])),
        filters: Object.fromEntries(others.map((name) => [name, filters[name] ?? null])),
        leftIds,
      },
    }),
  };
}

/** Adds a secondary of the last primary that belongs to no member. */
export function knowingUnlisted({ wanted, known }: Goal, id = 'zz'): Goal {
  return { wanted, ...(known && { known: { ...known, unlisted: [id] } }) };
}

/** The texts of the steps, or the summaries of the refusals. */
export function plan(wanted: Goal, observation: Observation): readonly string[] {
  const stepPlan = planFor(wanted);
  const refused = refusalsOnTheWay(stepPlan, observation).map(
    ({ summary }) => `REFUSED: ${renderPhrase(summary)}`,
  );
  return refused.length > 0 ? refused : stepsOf(stepPlan, observation).map(inWords);
}
