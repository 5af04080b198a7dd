/** Follows the cures of an error, in the place of a person. */
import type { SetValues } from '../../../src/provider/replication/set/wanted';
import { advised, isCostly, type Deed, type Way } from '../advice';
import { addressOf, happened, step, type Assumed, type Event, type Request, type World } from '../model';
import { NAMES } from './answering';
import { imported, valuesOf } from './starts';
import { messagesOf, type Result, type Stored } from './terraform';

/** The situation of one Terraform between two runs. */
export interface Situation {
  readonly world: World;
  readonly stored: Stored;
  readonly values: SetValues | undefined;
  /** Whether a force or a confirmation was needed so far. */
  readonly costly: boolean;
  /** The clusters that a person has made primaries of their own sets. */
  readonly strangers: readonly number[];
}

/**
 * Returns the situations after each single cure, first those without force. The first cure is
 * always another apply. If a plan is refused for several members, each is cured by itself, and all
 * are cured together.
 */
export function cured(result: Result, before: Situation, assumed: Assumed): readonly Situation[] {
  const primaries = NAMES.filter((_, index) => before.world.clusters[index]?.role.mode === 'primary');
  const ways = messagesOf(result).map((message) => advised(message, primaries));
  const together = ways.length > 1 ? [ways.flatMap(([first = []]) => first)] : [];
  const all = [
    before,
    ...[...ways.flat(), ...together].flatMap((way) => followed(way, before, assumed) ?? []),
  ];
  return [...all.filter(({ costly }) => !costly), ...all.filter(({ costly }) => costly)];
}

/** @returns undefined if the cure is not possible */
function followed(way: Way, before: Situation, assumed: Assumed): Situation | undefined {
  let situation: Situation | undefined = { ...before, costly: before.costly || isCostly(way) };
  for (const deed of way) situation = situation && done(deed, situation, assumed);
  return situation && { ...situation, world: healed(situation.world, assumed) };
}

function done(deed: Deed, before: Situation, assumed: Assumed): Situation | undefined {
  switch (deed.kind) {
    case 'call': {
      const request = REQUESTS[deed.call]?.(deed.fields);
      const world = request && made(before.world, NAMES.indexOf(deed.cluster), request, assumed);
      return world && { ...before, world: healed(world, assumed) };
    }
    case 'initialize': {
      const cluster = NAMES.indexOf(deed.cluster);
      const world = happened(before.world, { kind: 'initialize', cluster }, assumed);
      return world && { ...before, world };
    }
    case 'import': {
      const found = imported(before.world);
      return found && { ...before, ...found };
    }
    case 'again':
      return before;
    case 'address': {
      // A person sets an address only if it leads to the primary.
      const { values } = before;
      const primary = addressOf(NAMES.indexOf(values?.primary ?? ''));
      const leads = deed.address === undefined || deed.address === primary;
      const changed = { primary_cluster_addr: deed.address ?? null, primary_cluster_addrs: null };
      return values && leads ? { ...before, values: { ...values, ...changed } } : undefined;
    }
    default:
      return before.values && { ...before, values: configured(deed, before.values) };
  }
}

type Setting = Exclude<
  Deed,
  { kind: 'call' } | { kind: 'initialize' } | { kind: 'import' } | { kind: 'again' } | { kind: 'address' }
>;

function configured(deed: Setting, values: SetValues): SetValues {
  const abandoned = values.abandoned_clusters ?? [];
  switch (deed.kind) {
    case 'primary':
      return withPrimary(values, deed.cluster);
    case 'force':
      return { ...withPrimary(values, deed.cluster), force_promotion: deed.cluster };
    case 'unforce':
      return { ...values, force_promotion: null };
    case 'add':
      return deed.cluster === values.primary ? values : withSecondary(values, deed.cluster, {});
    case 'remove': {
      const others = Object.entries(values.secondaries ?? {}).filter(([name]) => name !== deed.cluster);
      return { ...values, secondaries: Object.fromEntries(others) };
    }
    case 'abandon':
      return { ...values, abandoned_clusters: [...abandoned, deed.cluster] };
    case 'reclaim':
      return { ...values, abandoned_clusters: abandoned.filter((name) => name !== deed.cluster) };
    case 'confirm':
      return withSecondary(values, deed.cluster, { confirm_data_loss: deed.text });
    case 'unfilter':
      return withSecondary(values, deed.cluster, { paths_filter: null, everything: true });
  }
}

/** Adds or changes a secondary. */
function withSecondary(values: SetValues, name: string, changes: object): SetValues {
  const { secondaries } = valuesOf(values.primary, { [name]: { ...values.secondaries?.[name], ...changes } });
  return { ...values, secondaries: { ...values.secondaries, ...secondaries } };
}

/** Makes the previous primary a secondary. */
function withPrimary(values: SetValues, primary: string): SetValues {
  if (primary === values.primary) return values;
  const others = Object.entries(values.secondaries ?? {}).filter(([name]) => name !== primary);
  const former = Object.entries(valuesOf(primary, { [values.primary]: {} }).secondaries ?? {});
  return { ...values, primary, secondaries: Object.fromEntries([...others, ...former]) };
}

const REQUESTS: Readonly<Record<string, (fields: Readonly<Record<string, string>>) => Request>> = {
  'primary/demote': () => ({ kind: 'demote' }),
  'primary/disable': () => ({ kind: 'disable-primary' }),
  'primary/revoke-secondary': ({ id = '' }) => ({ kind: 'revoke', id }),
  'secondary/disable': () => ({ kind: 'disable-secondary' }),
  'secondary/promote': () => ({ kind: 'promote', addr: '', force: false }),
};

/**
 * Logs in to a cluster and sends a request, as a person.
 *
 * @returns undefined if it is refused
 */
export function made(world: World, cluster: number, request: Request, assumed: Assumed): World | undefined {
  const login = step(world, { cluster, by: 0, request: { kind: 'login' } }, assumed);
  if (login.answer.status >= 400) return undefined;
  const done = step(login.world, { cluster, by: 0, request }, assumed);
  return done.answer.status >= 400 ? undefined : done.world;
}

/** Returns the world after all faults have ended. */
export function healed(world: World, assumed: Assumed): World {
  for (;;) {
    const [event] = endsOf(world);
    if (event === undefined) return world;
    world = happened(world, event, assumed)!;
  }
}

/** Returns the events that end the present faults. */
function endsOf({ clusters, silent, cuts }: World): readonly Event[] {
  return [
    ...silent.map((cluster) => ({ kind: 'speak', cluster }) as const),
    ...clusters.flatMap(({ sealed, busy, held }, cluster): readonly Event[] => [
      ...(sealed ? [{ kind: 'unseal', cluster } as const] : []),
      ...(busy ? [{ kind: 'return', cluster } as const] : []),
      ...(held ? [{ kind: 'release', cluster } as const] : []),
    ]),
    ...cuts.map((cut): Event => {
      const [cluster, other] = cut.split('-').map(Number) as [number, number];
      return { kind: 'mend', cluster, other };
    }),
  ];
}
