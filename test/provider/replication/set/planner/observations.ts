/** Observations and goals for the planner, in few words. */
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

/** A primary, with what it knows of its secondaries. */
export function primary(
  secondaries: Readonly<Record<string, Connection>> = {},
  filters: Readonly<Record<string, Filter | null>> = Object.fromEntries(
    Object.keys(secondaries).map((id) => [id, null]),
  ),
  clusterId = SET,
): ClusterFacts {
  return { mode: 'primary', clusterId, clusterAddr: '', secondaries, filters };
}

/** A primary that is known to have all writes of clusters that stepped down. */
export function heir(hasWritesOf: readonly string[], secondaries: Readonly<Record<string, Connection>> = {}) {
  return { ...primary(secondaries), hasWritesOf } as ClusterFacts;
}

/** A secondary that has received so many writes. */
export function upTo(position: number, facts: ClusterFacts, root = `root-${position}`): ClusterFacts {
  return { ...facts, progress: { position, root } } as ClusterFacts;
}

/** A secondary that follows its primary. */
export function secondary(secondaryId: string, clusterId = SET): ClusterFacts {
  return { mode: 'secondary', clusterId, secondaryId, connected: true, alone: false };
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
  /** By name: the filter, or null for none. */
  readonly secondaries?: Readonly<Record<string, Filter | null>>;
  readonly ids?: Readonly<Record<string, string>>;
  readonly confirmed?: readonly string[];
  readonly used?: readonly string[];
  readonly forced?: boolean;
  readonly abandoned?: readonly string[];
  readonly address?: string;
  /** The primary that Terraform knows, and its secondaries, each by its own name as id. */
  readonly knows?: readonly [primary: string, ...secondaries: string[]];
  /** The ids that secondaries had before their present ones. */
  readonly leftIds?: readonly string[];
  /** The filters that Terraform knows, by name. */
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

/** The texts of the steps, or the summaries of the refusals. */
export function plan(wanted: Goal, observation: Observation): readonly string[] {
  const stepPlan = planFor(wanted);
  const refused = refusalsOnTheWay(stepPlan, observation).map(
    ({ summary }) => `REFUSED: ${renderPhrase(summary)}`,
  );
  return refused.length > 0 ? refused : stepsOf(stepPlan, observation).map(inWords);
}
