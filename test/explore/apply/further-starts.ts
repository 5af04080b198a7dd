/** Starts of one apply in which the set is not as the last apply has left it. */
import { happened, newWorld, type Assumed, type Event, type Request, type World } from '../model';
import { copyOf, type Primary, type Secondary } from '../model/world';
import { healed, made } from './cures';
import { exchanges } from './answering';
import { next, NOTHING_STORED } from './terraform';
import { applied, healthy, imported, oneApply, start, upTo, valuesOf, type Situation } from './starts';
import type { RequestKind } from '../../../src/provider/replication/set/decide';
import type { Start } from './search';

const [US, EU, AP] = [0, 1, 2] as const;

/**
 * Returns the starts: members that have joined in part, were abandoned, unlisted or imported, and a
 * destroy that was killed.
 */
export function furtherStarts(assumed: Assumed): readonly Start[] {
  return [
    ...halfDone(assumed),
    ...importedSets(assumed),
    ...givenUp(assumed),
    ...unlisted(assumed),
    ...silentMembers(assumed),
    ...withAddresses(assumed),
  ];
}

/** Returns starts after applies that were killed after the answer to a request. */
function halfDone(assumed: Assumed): readonly Start[] {
  const killed = (name: string, of: string, kind: RequestKind, more: Partial<Start['state']> = {}): Start => {
    const first = oneApply(assumed).find(({ name }) => name === of)!;
    const { state } = upTo(kind, first);
    const [run] = state.runs;
    const asked = next(run!);
    if (asked.kind === 'ended') throw new Error(`no request of the kind ${kind}`);
    const { world } = exchanges(state.world, run!.by, asked.request, assumed)[0]!;
    const { stored, values } = first.state.runs[0]!;
    return start(name, { world, stored }, values, assumed, more);
  };
  return [
    killed('a join without data, no state', 'creation', 'enable_secondary'),
    killed('a token that nobody has used, no state', 'creation', 'issue_token', { given: [EU] }),
    killed('a primary without secondaries, no state', 'creation', 'enable_primary', { given: [EU] }),
    killed('a demotion without a promotion', 'switchover', 'demote'),
    killed('a promotion without a note', 'switchover', 'promote'),
    killed('a destroy whose secondary has left', 'destroy', 'disable_secondary'),
    killed('a removed member whose id is known', 'removal', 'disable_secondary'),
  ];
}

function importedSets(assumed: Assumed): readonly Start[] {
  const { world } = healthy(2, assumed);
  const { stored } = imported(world)!;
  const from = { world, stored };
  return [
    start('imported, unchanged', from, valuesOf('us', { eu: {} }), assumed),
    start('imported, switchover', from, valuesOf('eu', { us: {} }), assumed),
    start('imported, destroy', from, undefined, assumed),
  ];
}

/** Returns starts in which an abandoned primary answers again as a primary. */
function givenUp(assumed: Assumed): readonly Start[] {
  const pair = healthy(2, assumed);
  const without = valuesOf('eu', {}, { force_promotion: 'eu', abandoned_clusters: ['us'] });
  const over = applied(
    eventIn(pair.world, { kind: 'silence', cluster: US }, assumed),
    pair.stored,
    without,
    assumed,
  );
  const back = { ...over, world: eventIn(over.world, { kind: 'speak', cluster: US }, assumed) };
  const again = valuesOf('eu', { us: { confirm_data_loss: 'us' } });
  const costs = { mayCost: true };
  return [
    start('an abandoned primary is back', back, without, assumed, costs),
    start('an abandoned primary is back, and listed', back, again, assumed, costs),
    start(
      'an abandoned primary is back, and is to be the primary',
      back,
      valuesOf('us', { eu: {} }),
      assumed,
      costs,
    ),
    start('an abandoned primary is silent', over, without, assumed, costs),
    start('an abandoned primary is silent, destroy', over, undefined, assumed, costs),
  ];
}

/** Returns starts with a secondary that is in no configuration. */
function unlisted(assumed: Assumed): readonly Start[] {
  const { world } = healthy(3, assumed);
  const stay = valuesOf('us', { eu: {} });
  const over = valuesOf('eu', { us: {} });
  const { state } = imported(world)!.stored;
  const set = applied(
    world,
    { ...NOTHING_STORED, state: { ...state!, secondaries: stay.secondaries } },
    stay,
    assumed,
  );
  const promoted = byHand(
    set.world,
    assumed,
    [US, { kind: 'demote' }],
    [AP, { kind: 'promote', addr: '', force: false }],
  );
  return [
    start('an unlisted secondary, unchanged', set, stay, assumed),
    start('an unlisted secondary, switchover', set, over, assumed),
    start('an unlisted secondary, destroy', set, undefined, assumed),
    start('an unlisted secondary was promoted by hand', { ...set, world: promoted }, stay, assumed, {
      mayCost: true,
    }),
  ];
}

/** Returns starts with members that do not answer. */
function silentMembers(assumed: Assumed): readonly Start[] {
  const pair = healthy(2, assumed);
  const trio = healthy(3, assumed);
  const dead = (set: Situation) => ({
    ...set,
    world: eventIn(set.world, { kind: 'silence', cluster: EU }, assumed),
  });
  const costs = { mayCost: true };
  return [
    start('a silent secondary, unchanged', dead(pair), valuesOf('us', { eu: {} }), assumed),
    start('a silent secondary is removed', dead(pair), valuesOf('us', {}), assumed),
    start(
      'a silent secondary is given up',
      dead(pair),
      valuesOf('us', {}, { abandoned_clusters: ['eu'] }),
      assumed,
      costs,
    ),
    start('a silent secondary, destroy', dead(pair), undefined, assumed),
    start(
      'a silent secondary, switchover to another',
      dead(trio),
      valuesOf('ap', { us: {}, eu: {} }),
      assumed,
    ),
    start(
      'a silent secondary is given up, switchover to another',
      dead(trio),
      valuesOf('ap', { us: {} }, { abandoned_clusters: ['eu'] }),
      assumed,
      costs,
    ),
  ];
}

/** Returns starts whose configuration gives addresses for secondaries. */
function withAddresses(assumed: Assumed): readonly Start[] {
  const pair = healthy(2, assumed);
  const addresses = { primary_cluster_addrs: { us: 'c0', eu: 'c1' } };
  const stay = valuesOf('us', { eu: { confirm_data_loss: 'eu' } }, addresses);
  const over = valuesOf('eu', { us: {} }, addresses);
  const empty = { world: newWorld(2), stored: NOTHING_STORED };
  const set = applied(empty.world, empty.stored, stay, assumed);
  return [
    start('creation with addresses', empty, stay, assumed, { given: [EU] }),
    start('new addresses', pair, stay, assumed),
    start('switchover with addresses', set, over, assumed),
    start('a wrong address is corrected', { ...set, world: withoutAddress(set.world) }, stay, assumed),
  ];
}

/** Returns a pair whose primary gave its secondary an address that leads nowhere. */
function withoutAddress(world: World): World {
  const pair = copyOf(world);
  const [primary, secondary] = pair.clusters.map(({ role }) => role) as [Primary, Secondary];
  primary.addr = 'nowhere';
  primary.known[secondary.id]!.contact = 'disconnected';
  const lost = { addr: 'nowhere', addrs: ['nowhere'], link: null, connection: 'transient_failure' } as const;
  Object.assign(secondary, { ...lost, contact: { to: 'nowhere', ended: true } });
  return pair;
}

function eventIn(world: World, event: Event, assumed: Assumed): World {
  return happened(world, event, assumed)!;
}

/** Makes requests as a person, each on clusters that are available. */
function byHand(world: World, assumed: Assumed, ...calls: readonly (readonly [number, Request])[]): World {
  for (const [cluster, request] of calls) world = healed(made(world, cluster, request, assumed)!, assumed);
  return world;
}
