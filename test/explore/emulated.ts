/** Converts the emulator's clusters, requests and answers to those of the model. */
import { createHash } from 'node:crypto';
import type { EmulatedCluster } from '../../src/emulator/cluster';
import { leafHash, leafId } from '../../src/emulator/replication/merkle';
import {
  MOUNTS_PATH,
  PROMOTION_MOUNT,
  PROMOTION_MOUNT_PATH,
  SWITCHOVER_POLICY_PATH,
  TAKEOVER_POLICY_PATH,
} from '../../src/model';
import { ROOT_NAMESPACE } from '../../src/emulator/core/stores/namespace-store';
import { isJsonObject } from '../../src/emulator/core/primitives/json';
import {
  addressOf,
  copyOf,
  normalized,
  renamed,
  type Answer,
  type Cluster,
  type Content,
  type KnownSecondary,
  type NoteKind,
  type World,
  type Request,
  type Sent as Asked,
  type StatusData,
  type Token,
} from './model';

const CALLS = '/v1/sys/replication/performance/';
/** The paths of the notes of applies. */
export const NOTES: Readonly<Record<NoteKind, string>> = {
  announcement: `/v1/${SWITCHOVER_POLICY_PATH}`,
  takeover: `/v1/${TAKEOVER_POLICY_PATH}`,
  promotion: `/v1/${PROMOTION_MOUNT_PATH}`,
};
/** The path at which the promotion note is read, and the key of its mount in the answer. */
export const MOUNTS = `/v1/${MOUNTS_PATH}`;
const PROMOTION = `${PROMOTION_MOUNT}/`;
const NOTE_KINDS = ['announcement', 'takeover', 'promotion'] as const;
/** The paths of the operator's login, and of the store of marked writes. */
export const LOGIN = '/v1/auth/operators/login';
export const STORE = '/v1/kv/';

/** The emulator's side of a cluster. */
interface Responding {
  readonly cluster: EmulatedCluster;
}

/** Returns the note that a key of the storage holds. */
function noteOf(key: string): NoteKind | undefined {
  return NOTE_KINDS.find((each) => key === `core/policies/root/acl/${NOTES[each].split('/').at(-1)}`);
}

export interface HttpRequest {
  readonly cluster: number;
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Converts the emulator's values to those of the model: equal values have the same atom. */
export class Abstraction {
  readonly #atoms = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  /** The activation tokens of all answers, by their texts. */
  readonly #tokens = new Map<string, Token>();
  readonly #names: readonly string[];
  readonly #responders: Readonly<Record<string, Responding>>;
  readonly #leafIds = new Map<string, string>();
  readonly #contents = new Map<string, Content>();
  /** The roots that clusters have shown, with those that the model computes for the same data. */
  readonly roots = new Map<string, string>();

  constructor(responders: Readonly<Record<string, Responding>>) {
    this.#responders = responders;
    this.#names = Object.keys(responders);
  }

  cluster(index: number): EmulatedCluster {
    return this.#responders[this.#names[index]!]!.cluster;
  }

  index(name: string): number {
    return this.#names.indexOf(name);
  }

  atom(kind: string, text: string): string {
    const key = `${kind} ${text}`;
    const known = this.#atoms.get(key);
    if (known !== undefined) return known;
    const number = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, number + 1);
    const atom = `§${kind}${number}`;
    this.#atoms.set(key, atom);
    return atom;
  }

  /**
   * @param tokens the person's tokens by cluster, which show whether the person's logins are valid
   */
  world(tokens: readonly (string | undefined)[] = []): World {
    const network = this.cluster(0).replication.site.network;
    return {
      clusters: this.#names.map((_, index) => this.#clusterOf(index, tokens[index])),
      cuts: network.cutPairs().map((names) =>
        names
          .map((name) => this.index(name))
          .sort((a, b) => a - b)
          .join('-'),
      ),
      at: this.#names.map((_, index) => index),
      silent: [],
    };
  }

  #clusterOf(index: number, token = ''): Cluster {
    const cluster = this.cluster(index);
    const { replication, sealed, tokens, id } = cluster;
    const { store, network, name } = replication.site;
    const { activationKey } = store;
    return {
      identity: this.atom('i', id),
      role: this.#roleOf(cluster),
      content: this.#contentOf(cluster),
      promotion: cluster.mounts.get(ROOT_NAMESPACE, PROMOTION)?.entry.description ?? null,
      busy: replication.isInterrupted,
      sealed,
      held: network.lag(name) !== 0,
      logins: token !== '' && tokens.lookup(token) !== undefined ? 1 : 0,
      key: activationKey === undefined ? null : this.atom('k', activationKey),
      wal: store.lastWal,
      applied: store.position.applied,
      complete: store.position.complete,
      filtered: store.dynamicFilter?.isFiltered === true,
      streamed: replication.secondary.hasStreamed,
    };
  }

  #roleOf({ replication }: EmulatedCluster): Cluster['role'] {
    const { record } = replication.site.store;
    if (record === undefined) return { mode: 'disabled' };
    if (record.mode === 'primary') {
      const { clusterId, primaryClusterAddr, formerSecondaryId = '', secondaries, filters } = record;
      const known = Object.entries(secondaries).map(([id, { publicKey, tokenExpiresAt, contact }]) => {
        const isOpen = contact !== undefined && contact.until === undefined;
        const shown: KnownSecondary = {
          key: this.atom('k', `${publicKey.x} ${publicKey.y}`),
          expired: tokenExpiresAt <= replication.site.now(),
          contact: contact === undefined ? 'never' : isOpen ? 'connected' : 'disconnected',
        };
        return [id, shown] as const;
      });
      return {
        mode: 'primary',
        set: this.atom('s', clusterId),
        addr: this.#address(primaryClusterAddr),
        former: formerSecondaryId,
        known: Object.fromEntries(known),
        filters: Object.fromEntries(Object.entries(filters).map(([id, { mode }]) => [id, mode])),
      };
    }
    const { clientKey, contact } = record;
    const { state, connection_state: connection } = replication.secondary.status();
    return {
      mode: 'secondary',
      set: this.atom('s', record.clusterId),
      id: record.secondaryId,
      addr: this.#address(record.primaryClusterAddr),
      addrs: this.#addresses(record.knownPrimaryAddrs),
      key: clientKey === undefined ? null : this.atom('k', `${clientKey.x} ${clientKey.y}`),
      bootstrapping: record.bootstrapping,
      contact: contact
        ? { to: this.#address(contact.clusterAddress), ended: contact.until !== undefined }
        : null,
      link:
        contact !== undefined && contact.until === undefined
          ? {
              to: this.#names.findIndex(
                (_, index) => addressOf(index) === this.#address(contact.clusterAddress),
              ),
              phase: state === 'stream-wals' ? 'stream' : 'diff',
            }
          : null,
      connection: connection as never,
    };
  }

  /**
   * Returns the address of another cluster in the model's form; addresses of no cluster stay
   * unchanged.
   */
  #address(address: string): string {
    const host = hostOf(address);
    const found = this.#names.findIndex((_, index) =>
      this.cluster(index).replication.clusterAddresses.some((each) => each !== '' && hostOf(each) === host),
    );
    return found < 0 ? address : addressOf(found);
  }

  #addresses(addresses: readonly string[]): string[] {
    return [...new Set(addresses.map((each) => this.#address(each)))];
  }

  /**
   * Returns the content of a cluster. It is computed once for each root, except where a filter
   * gives the cluster a root of its own.
   */
  #contentOf(cluster: EmulatedCluster): Content {
    const { site } = cluster.replication;
    if (site.store.dynamicFilter?.isFiltered === true) return this.#computedContent(cluster);
    const known = this.#contents.get(site.merkleRoot) ?? this.#computedContent(cluster);
    this.#contents.set(site.merkleRoot, known);
    return { ...known, marks: [...known.marks], notes: { ...known.notes } };
  }

  #computedContent({ storage, replication }: EmulatedCluster): Content {
    const { keys, store } = replication.site;
    const leaves = new Map<string, string>();
    // Data that a filter may withhold is no part of `base`: `filterable` says whether it exists, on
    // the cluster or among the withheld keys.
    const filterable = store.withheld.keys('').length > 0;
    const content: Content = { base: '', operator: false, store: false, filterable, marks: [], notes: {} };
    const isFiltered = (key: string) =>
      [keys.mountOf(key)?.path, storage.get<{ readonly path?: string }>(key)?.path].includes('legal/');
    for (const [key, value] of storage.entries()) {
      if (!keys.includes(key, value)) continue;
      const mark = /^logical\/[^/]+\/secrets\/w(\d+)$/.exec(key)?.[1];
      const note = noteOf(key);
      if (mark !== undefined) content.marks.push(Number(mark));
      else if (note !== undefined) content.notes[note] = (value as { policy: string }).policy;
      else if (isFiltered(key)) content.filterable = true;
      else leaves.set(this.#leafId(key), leafHash(value));
      const path = isJsonObject(value) ? value.path : undefined;
      if (path === 'kv/') content.store = true;
      if (/^logical\/[^/]+\/secret-id\/operator\//.test(key)) content.operator = true;
    }
    content.marks.sort((a, b) => a - b);
    const hash = createHash('sha1');
    for (const id of [...leaves.keys()].sort()) hash.update(id).update(leaves.get(id) ?? '');
    content.base = this.atom('b', hash.digest('hex'));
    return content;
  }

  #leafId(key: string): string {
    const known = this.#leafIds.get(key);
    if (known !== undefined) return known;
    const id = leafId(key);
    this.#leafIds.set(key, id);
    return id;
  }

  /** Returns a request in the model's form; `undefined` if the model does not have it. */
  request({ method, path, body }: HttpRequest): Request | undefined {
    const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '');
    if (path === '/v1/sys/health') return { kind: 'health' };
    if (path === '/v1/sys/leader') return { kind: 'leader' };
    if (path === LOGIN) return { kind: 'login' };
    if (path === '/v1/sys/capabilities-self') return { kind: 'capabilities' };
    if (path === MOUNTS && method === 'GET') return { kind: 'read-note', of: 'promotion' };
    const of = NOTE_KINDS.find((each) => path === NOTES[each]);
    if (of !== undefined) {
      if (method === 'GET') return { kind: 'read-note', of };
      return method === 'DELETE'
        ? { kind: 'delete-note', of }
        : { kind: 'write-note', of, note: text(of === 'promotion' ? 'description' : 'policy') };
    }
    const mark = /^\/v1\/kv\/w(\d+)$/.exec(path)?.[1];
    if (mark !== undefined && method === 'POST') return { kind: 'write', mark: Number(mark) };
    if (!path.startsWith(CALLS)) return undefined;
    const call = path.slice(CALLS.length);
    const id = /^(?:primary\/paths-filter|(?:primary|secondary)\/dynamic-filter)\/(.+)$/.exec(call)?.[1];
    if (id !== undefined) {
      if (call.startsWith('primary/dynamic')) return { kind: 'withheld-by-primary', id };
      if (call.startsWith('secondary/dynamic')) return { kind: 'withheld-from-secondary', id };
      if (method === 'GET') return { kind: 'read-filter', id };
      if (method === 'DELETE') return { kind: 'delete-filter', id };
      return { kind: 'write-filter', id, filter: text('mode') === 'deny' ? 'deny' : 'allow' };
    }
    const token = this.#tokens.get(text('token'));
    const addr = this.#address(text('primary_cluster_addr'));
    switch (call) {
      case 'status':
        return { kind: 'status' };
      case 'primary/enable':
        return { kind: 'enable-primary', addr };
      case 'primary/demote':
        return { kind: 'demote' };
      case 'primary/disable':
        return { kind: 'disable-primary' };
      case 'primary/secondary-token': {
        const key = text('secondary_public_key');
        return key === '' ? undefined : { kind: 'issue-token', id: text('id'), for: this.atom('p', key) };
      }
      case 'primary/revoke-secondary':
        return { kind: 'revoke', id: text('id') };
      case 'secondary/generate-public-key':
        return { kind: 'generate-key' };
      case 'secondary/enable':
        return token && { kind: 'enable-secondary', token };
      case 'secondary/promote':
        return { kind: 'promote', addr, force: body.force === true };
      case 'secondary/disable':
        return { kind: 'disable-secondary' };
      case 'secondary/update-primary': {
        const given = body.update_primary_addrs;
        const addrs = Array.isArray(given) ? this.#addresses(given as string[]) : [];
        if (addrs.length === 0 && text('token') !== '' && token === undefined) return undefined;
        return { kind: 'update-primary', token: token ?? null, addrs };
      }
      default:
        return undefined;
    }
  }

  /** Returns an answer in the model's form, and remembers its keys and tokens. */
  answer({ cluster, request }: Pick<Asked, 'cluster' | 'request'>, { status, body }: HttpAnswer): Answer {
    if (request.kind === 'health') {
      const { cluster_id: id, replication_performance_mode: mode } = body;
      return { status, data: { id: typeof id === 'string' ? this.atom('i', id) : null, mode } };
    }
    if (status >= 300) return { status };
    const data = (body.data ?? {}) as Record<string, unknown>;
    switch (request.kind) {
      case 'leader':
        return { status, data: this.#address(String(body.leader_cluster_address)) };
      case 'status':
        return { status, data: this.#status(this.cluster(cluster), data) };
      case 'read-note': {
        const mount = data[PROMOTION] as { readonly description: string } | undefined;
        return { status, data: request.of === 'promotion' ? (mount?.description ?? null) : data.policy };
      }
      case 'read-filter':
        return { status, data: data.mode ?? null };
      case 'withheld-by-primary':
      case 'withheld-from-secondary': {
        const mounts = data.dynamic_filtered_mounts as readonly string[];
        return { status, data: mounts.length > 0 };
      }
      case 'generate-key': {
        // A public key and its private half have one atom.
        const atom = this.atom('k', this.cluster(cluster).replication.site.store.activationKey!);
        this.#atoms.set(`p ${String(data.secondary_public_key)}`, atom);
        return { status, data: atom };
      }
      case 'issue-token': {
        const record = this.cluster(cluster).replication.primary.record;
        const { publicKey } = record.secondaries[request.id]!;
        const token: Token = {
          id: request.id,
          set: this.atom('s', record.clusterId),
          addr: this.#address(record.primaryClusterAddr || this.cluster(cluster).replication.clusterAddress),
          key: this.atom('k', `${publicKey.x} ${publicKey.y}`),
          for: request.for,
        };
        this.#tokens.set(String(data.token), token);
        return { status, data: token };
      }
      default:
        return { status };
    }
  }

  #status(cluster: EmulatedCluster, data: Record<string, unknown>): StatusData {
    const { mode } = data as { mode: StatusData['mode'] };
    if (mode === 'disabled') return { mode };
    const root = typeof data.merkle_root === 'string' ? data.merkle_root : null;
    const shared = {
      set: this.atom('s', String(data.cluster_id)),
      addr: this.#address(String(data.primary_cluster_addr)),
      root,
    };
    if (mode === 'primary') {
      const secondaries = data.secondaries as readonly Record<string, string | undefined>[];
      const contacts = secondaries.map(({ node_id: id = '', connection_status: status, api_address }) => {
        const contact = api_address === undefined ? 'never' : (status as 'connected' | 'disconnected');
        return [id, contact] as const;
      });
      return {
        mode,
        ...shared,
        secondaries: Object.fromEntries(contacts),
        wal: Number(data.last_performance_wal),
      };
    }
    const [primary] = data.primaries as readonly Record<string, string>[];
    return {
      mode,
      ...shared,
      id: String(data.secondary_id),
      state: data.state as never,
      connection: data.connection_state as never,
      addrs: this.#addresses(data.known_primary_cluster_addrs as readonly string[]),
      primary: primary
        ? {
            to: this.#address(primary.cluster_address!),
            connected: primary.connection_status === 'connected',
          }
        : null,
      wal: Number(data.last_remote_wal),
    };
  }
}

/**
 * Compares a step of the model with the same step of the emulator. The two may name new atoms
 * differently, but each uses the same name for one thing before the step, after it, and in its
 * answer.
 *
 * @returns the difference; `undefined` if both took the same step
 */
export function difference(
  before: World,
  expected: { readonly world: World; readonly answer?: Answer },
  seen: { readonly world: World; readonly answer?: Answer },
  roots: Map<string, string>,
): string | undefined {
  const [one, other] = [expected, seen].map(({ world, answer }) =>
    renamed(JSON.stringify([before, normalized(copyOf(world)), withoutRoot(answer)])),
  ) as [string, string];
  if (one !== other) return `the model: ${pointedOut(one, other)}\nthe emulator: ${pointedOut(other, one)}`;
  const [modelled, shown] = [rootIn(expected.answer), rootIn(seen.answer)];
  if (modelled === null || shown === null) return modelled === shown ? undefined : 'only one has a root';
  const known = [roots.get(`model ${modelled}`) ?? shown, roots.get(`emulator ${shown}`) ?? modelled];
  if (known[0] !== shown || known[1] !== modelled)
    return `root ${shown} for ${modelled}, before ${known.join()}`;
  roots.set(`model ${modelled}`, shown).set(`emulator ${shown}`, modelled);
  return undefined;
}

function withoutRoot(answer: Answer | undefined): unknown {
  if (answer === undefined) return null;
  const { status, data = null } = answer;
  return { status, data: typeof data === 'object' ? sortedFields({ ...data, root: null }) : data };
}

function sortedFields(value: object): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
        : each,
    ),
  );
}

function rootIn(answer: Answer | undefined): string | null {
  return (answer?.data as { root?: string | null } | undefined)?.root ?? null;
}

/** Returns the part in which two texts differ. */
function pointedOut(text: string, other: string): string {
  const at = [...text].findIndex((character, index) => character !== other[index]);
  return `…${text.slice(Math.max(0, at - 120), at + 120)}…`;
}

function hostOf(address: string): string {
  return address.replace(/^\w+:\/\//, '');
}
