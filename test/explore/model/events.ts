import { Draft, pair, type Assumed } from './draft';
import { copyOf, fresh, newContent, type Cluster, type World } from './world';

/** An event without a request. */
export type Event =
  // Time passes.
  | { readonly kind: 'return'; readonly cluster: number }
  | { readonly kind: 'expire' }
  // Faults, and the events that end them.
  | {
      readonly kind:
        | 'crash'
        | 'seal'
        | 'unseal'
        | 'hold'
        | 'release'
        | 'silence'
        | 'speak'
        /** Another cluster is at the address, with empty storage. */
        | 'initialize';
      readonly cluster: number;
    }
  | { readonly kind: 'cut' | 'mend'; readonly cluster: number; readonly other: number }
  /** The address leads to another cluster. */
  | { readonly kind: 'readdress'; readonly cluster: number; readonly other: number }
  /** A cluster has the content and the role of an earlier world again. */
  | { readonly kind: 'restore'; readonly cluster: number; readonly from: World };

/** Returns the world after an event; `undefined` if it is not possible. */
export function happened(world: World, event: Event, assumed: Assumed): World | undefined {
  const draft = new Draft(copyOf(world), assumed);
  return apply(draft, event) ? draft.world : undefined;
}

function apply(draft: Draft, event: Event): boolean {
  const { world } = draft;
  if (event.kind === 'expire') return expire(draft);
  const { cluster: index } = event;
  const cluster = draft.cluster(index);
  switch (event.kind) {
    case 'return':
      if (!cluster.busy) return false;
      cluster.busy = false;
      draft.wake();
      return true;
    case 'crash':
      if (cluster.sealed) return false;
      restart(draft, index);
      return true;
    case 'seal':
      if (cluster.sealed) return false;
      cluster.sealed = true;
      draft.lose(index);
      return true;
    case 'unseal':
      if (!cluster.sealed) return false;
      cluster.sealed = false;
      draft.wake();
      return true;
    case 'hold':
      if (cluster.held) return false;
      cluster.held = true;
      return true;
    case 'release':
      if (!cluster.held) return false;
      cluster.held = false;
      if (cluster.role.mode === 'secondary') draft.flow(index);
      return true;
    case 'cut': {
      const cut = pair(index, event.other);
      if (world.cuts.includes(cut)) return false;
      world.cuts.push(cut);
      draft.lose(index, event.other);
      draft.lose(event.other, index);
      return true;
    }
    case 'mend': {
      const cut = pair(index, event.other);
      if (!world.cuts.includes(cut)) return false;
      world.cuts = world.cuts.filter((each) => each !== cut);
      draft.wake();
      return true;
    }
    case 'silence':
      if (world.silent.includes(index)) return false;
      world.silent.push(index);
      return true;
    case 'speak':
      if (!world.silent.includes(index)) return false;
      world.silent = world.silent.filter((each) => each !== index);
      return true;
    case 'readdress':
      if (world.at[index] === event.other) return false;
      world.at[index] = event.other;
      return true;
    case 'initialize':
      draft.lose(index);
      Object.assign(cluster, {
        identity: fresh('i'),
        role: { mode: 'disabled' },
        content: newContent({ operator: true, store: true }),
        promotion: null,
        logins: 0,
        key: null,
        wal: 0,
        sealed: false,
        streamed: false,
      });
      draft.startOver(cluster);
      draft.interrupt(index);
      return true;
    case 'restore': {
      const { held, busy, sealed } = cluster;
      const { role, ...earlier } = event.from.clusters[index]!;
      draft.lose(index);
      const streamed = false;
      Object.assign(cluster, { ...earlier, role: structuredClone(role), held, busy, sealed, streamed });
      endConnections(cluster);
      draft.interrupt(index);
      return true;
    }
  }
}

/** Ends the connections that a cluster has stored, because a cluster that starts has none. */
function endConnections(cluster: Cluster): void {
  const { role } = cluster;
  if (role.mode === 'primary') {
    for (const known of Object.values(role.known))
      if (known.contact === 'connected') known.contact = 'disconnected';
  } else if (role.mode === 'secondary') {
    if (role.link !== null) cluster.complete = false;
    role.link = null;
    role.connection = 'idle';
    role.contact = role.contact && { ...role.contact, ended: true };
  }
}

/** Lets some minutes pass: every cluster becomes available, and unused tokens expire. */
function expire({ world }: Draft): boolean {
  if (world.clusters.some(({ busy }) => busy)) return false;
  expireTokens(world);
  return true;
}

function expireTokens({ clusters }: World): void {
  for (const { role } of clusters) {
    if (role.mode !== 'primary') continue;
    for (const known of Object.values(role.known)) known.expired = true;
  }
}

/** Returns a copy of the world in which unused tokens have expired. */
export function withExpiredTokens(world: World): World {
  const copy = copyOf(world);
  expireTokens(copy);
  return copy;
}

/** Ends the process of a cluster, and starts it again from its storage. */
function restart(draft: Draft, index: number): void {
  const cluster = draft.cluster(index);
  draft.lose(index);
  cluster.streamed = false;
  const { role } = cluster;
  if (role.mode === 'secondary') {
    role.connection = 'idle';
    if (role.bootstrapping) draft.wipe(index);
  }
  draft.interrupt(index);
}
