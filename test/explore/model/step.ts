import type { RefusalWords } from '../../../src/emulator/assume';
import type { SECONDARY_STATES } from '../../../src/model';
import { Draft, type Assumed } from './draft';
import {
  needsLogin,
  type Answer,
  type HealthData,
  type Request,
  type StatusData,
  type Token,
} from './requests';
import {
  addressOf,
  copyOf,
  fresh,
  rootOf,
  type Cluster,
  type Primary,
  type Secondary,
  type World,
} from './world';

/** A request of a process. Process 0 is a person, who can always log in again. */
export interface Sent {
  readonly cluster: number;
  readonly by: number;
  readonly request: Request;
}

export interface Stepped {
  readonly world: World;
  readonly answer: Answer;
}

const OK: Answer = { status: 200 };
const DONE: Answer = { status: 204 };

/** Sends a request to a cluster. Its arguments stay unchanged. */
export function step(world: World, sent: Sent, assumed: Assumed): Stepped {
  const draft = new Draft(copyOf(world), assumed);
  const answer = new Handler(draft, sent).answer();
  return { world: draft.world, answer };
}

/** A refusal, which ends the handling of a request. */
class Refused extends Error {
  constructor(readonly status: number) {
    super(String(status));
  }
}

class Handler {
  readonly #draft: Draft;
  readonly #index: number;
  readonly #cluster: Cluster;
  readonly #sent: Sent;

  constructor(draft: Draft, sent: Sent) {
    this.#draft = draft;
    this.#sent = sent;
    this.#index = sent.cluster;
    this.#cluster = draft.cluster(sent.cluster);
  }

  answer(): Answer {
    try {
      return this.#answer(this.#sent.request);
    } catch (error) {
      if (error instanceof Refused) return { status: error.status };
      throw error;
    }
  }

  get #primary(): Primary {
    return this.#cluster.role as Primary;
  }

  get #secondary(): Secondary {
    return this.#cluster.role as Secondary;
  }

  #assumed: Assumed = (name) => this.#draft.assumed(name);

  #answer(request: Request): Answer {
    if (request.kind === 'health') return this.#health();
    if (this.#cluster.sealed) return { status: 503 };
    if (request.kind === 'leader') return { status: 200, data: addressOf(this.#index) };
    this.#admit(request);
    if (request.kind === 'status') return { status: 200, data: this.#status() };
    if (request.kind === 'login') return this.#login(request.isFirst === true);
    if (needsLogin(request) && (this.#cluster.logins & (1 << this.#sent.by)) === 0) return { status: 403 };
    switch (request.kind) {
      case 'capabilities':
      case 'held-data':
        return OK;
      case 'read-note': {
        if (request.of === 'promotion') return { status: 200, data: this.#cluster.promotion };
        const note = this.#cluster.content.notes[request.of];
        return note === undefined ? { status: 404 } : { status: 200, data: note };
      }
      case 'write-note':
        if (request.of === 'promotion') return this.#mount(request.note);
        return this.#write(({ notes }) => (notes[request.of] = request.note));
      case 'delete-note':
        if (request.of === 'promotion') {
          this.#cluster.promotion = null;
          return DONE;
        }
        return this.#write(
          ({ notes }) => delete notes[request.of],
          ({ notes }) => notes[request.of] !== undefined,
        );
      case 'write':
        if (!this.#cluster.content.store) return { status: 404 };
        return this.#write((content) => (content.marks = withMark(content.marks, request.mark)));
      default:
        return this.#replicationCall(request);
    }
  }

  /** Mounts the local secrets engine with a note; no cluster forwards this to its primary. */
  #mount(note: string): Answer {
    const { role } = this.#cluster;
    const isLonely = role.mode === 'secondary' && role.link === null;
    if (isLonely && !this.#assumed('localEngineWithoutPrimary').accepted)
      throw this.#refusal('forwardingFailed');
    if (this.#cluster.promotion !== null) return { status: 400 };
    this.#cluster.promotion = note;
    return DONE;
  }

  #health(): Answer {
    const { sealed, busy, role, identity } = this.#cluster;
    if (sealed) return { status: 503, data: { id: null, mode: 'unknown' } satisfies HealthData };
    const starting = busy || (role.mode === 'secondary' && role.bootstrapping);
    const data: HealthData = { id: identity, mode: starting ? 'bootstrapping' : role.mode };
    return { status: starting ? 429 : 200, data };
  }

  #admit({ kind }: Request): void {
    const { busy, role } = this.#cluster;
    const isOfReplication =
      !['login', 'capabilities', 'held-data', 'write'].includes(kind) && !/note$/.test(kind);
    const starting = role.mode === 'secondary' && role.bootstrapping;
    if (busy || (starting && !isOfReplication)) throw this.#refusal('unavailability');
  }

  #login(isFirst: boolean): Answer {
    if (!this.#cluster.content.operator) return { status: 403 };
    if (isFirst) this.#write((content) => (content.base = fresh('b')));
    this.#cluster.logins |= 1 << this.#sent.by;
    return OK;
  }

  /** Changes the content of the primary, also if a secondary forwards the request. */
  #write(
    change: (content: Cluster['content']) => void,
    isWrite: (content: Cluster['content']) => boolean = () => true,
  ): Answer {
    const { role } = this.#cluster;
    const link = role.mode === 'secondary' ? role.link : undefined;
    if (link === null) throw this.#refusal('forwardingFailed');
    const target = link?.to ?? this.#index;
    const { content } = this.#draft.cluster(target);
    if (!isWrite(content)) return DONE;
    change(content);
    if (this.#draft.cluster(target).role.mode === 'primary') this.#draft.written(target);
    return { status: link !== undefined && this.#cluster.held ? 200 : 204 };
  }

  #status(): StatusData {
    const { role } = this.#cluster;
    const root = this.#assumed('statusRoot').reported
      ? rootOf(this.#cluster, this.#assumed('filteredRoots').own)
      : null;
    if (role.mode === 'disabled') return role;
    if (role.mode === 'primary') {
      const { mode, set, addr, known } = role;
      const secondaries = Object.fromEntries(Object.entries(known).map(([id, { contact }]) => [id, contact]));
      return { mode, set, addr, secondaries, wal: this.#cluster.wal, root };
    }
    const { mode, set, id, addr, addrs, contact, connection } = role;
    const hidesWal = this.#assumed('lastRemoteWal').afterSync === 'zero' && !this.#cluster.streamed;
    return {
      mode,
      set,
      id,
      state: this.#state(role),
      connection,
      addr,
      addrs,
      primary: contact && { to: contact.to, connected: !contact.ended },
      wal: hidesWal ? 0 : this.#cluster.applied,
      root,
    };
  }

  #state({ link, key, contact }: Secondary): (typeof SECONDARY_STATES)[number] {
    if (link !== null) return link.phase === 'stream' ? 'stream-wals' : 'merkle-diff';
    if (key === null) return 'idle';
    return contact === null ? 'merkle-diff' : this.#assumed('disconnectedState').state;
  }

  #replicationCall(request: Request): Answer {
    const draft = this.#draft;
    const cluster = this.#cluster;
    const index = this.#index;
    switch (request.kind) {
      case 'enable-primary': {
        if (cluster.role.mode === 'primary' && this.#assumed('primaryEnabledAgain').accepted) {
          cluster.role.addr = request.addr;
          return OK;
        }
        this.#require('disabled');
        cluster.wal = Math.max(cluster.wal, this.#assumed('replicationWal').first(1));
        this.#becomePrimary(fresh('s'), request.addr, '');
        return OK;
      }
      case 'demote': {
        this.#require('primary');
        const { set, former } = this.#primary;
        draft.resign(index);
        cluster.applied = cluster.wal;
        cluster.complete = true;
        cluster.filtered = false;
        cluster.role = {
          mode: 'secondary',
          set,
          id: this.#assumed('secondaryIdAfterDemotion').kept ? former : '',
          addr: '',
          addrs: this.#assumed('addressesAfterDemotion').kept ? [addressOf(index)] : [],
          key: null,
          bootstrapping: false,
          contact: null,
          link: null,
          connection: 'idle',
        };
        if (this.#assumed('tokensAfterDemotion').revoked) cluster.logins = 0;
        draft.interrupt(index);
        return OK;
      }
      case 'disable-primary':
        this.#require('primary');
        draft.resign(index);
        cluster.role = { mode: 'disabled' };
        draft.interrupt(index);
        return OK;
      case 'promote': {
        this.#require('secondary');
        const { checked, status } = this.#assumed('promotionChecks');
        const { set, id, link } = this.#secondary;
        const isComplete =
          link === null
            ? cluster.complete
            : link.phase === 'stream' && cluster.applied >= draft.cluster(link.to).wal;
        if (checked && !request.force && !isComplete) return { status };
        draft.endSecondary(index);
        cluster.wal = Math.max(cluster.wal, cluster.applied);
        this.#becomePrimary(set, request.addr, id);
        return OK;
      }
      case 'disable-secondary':
        this.#require('secondary');
        draft.endSecondary(index);
        cluster.role = { mode: 'disabled' };
        draft.interrupt(index);
        return OK;
      case 'enable-secondary': {
        this.#require('disabled');
        this.#activate(request.token);
        this.#follow(request.token, true, false);
        draft.wipe(index);
        draft.interrupt(index);
        return OK;
      }
      case 'update-primary':
        this.#require('secondary');
        return this.#updatePrimary(request);
      case 'issue-token':
        return this.#issueToken(request);
      case 'revoke': {
        this.#require('primary');
        const { known } = this.#primary;
        if (known[request.id] === undefined)
          return this.#assumed('revocationOfUnknownId').refused ? { status: 400 } : DONE;
        draft.hangUp(index, request.id);
        delete known[request.id];
        return DONE;
      }
      case 'generate-key':
        this.#require('disabled', 'secondary');
        cluster.key = fresh('k');
        return { status: 200, data: cluster.key };
      default:
        return this.#filterCall(request);
    }
  }

  #filterCall(request: Request): Answer {
    const cluster = this.#cluster;
    switch (request.kind) {
      case 'write-filter':
        this.#require('primary');
        this.#primary.filters[request.id] = request.filter;
        this.#draft.filterChanged(this.#index, request.id);
        return DONE;
      case 'delete-filter': {
        this.#require('primary');
        const { filters } = this.#primary;
        if (filters[request.id] === undefined)
          return this.#assumed('removalOfMissingFilter').refused ? { status: 404 } : DONE;
        delete filters[request.id];
        this.#draft.filterChanged(this.#index, request.id);
        return DONE;
      }
      case 'read-filter': {
        this.#require('primary');
        const filter = this.#primary.filters[request.id];
        if (filter !== undefined) return { status: 200, data: filter };
        return this.#assumed('missingFilter').empty ? { status: 200, data: null } : { status: 404 };
      }
      case 'withheld-by-primary': {
        this.#require('primary');
        const { known, filters } = this.#primary;
        if (known[request.id] === undefined && filters[request.id] === undefined) return { status: 404 };
        return { status: 200, data: filters[request.id] !== undefined && cluster.content.filterable };
      }
      case 'withheld-from-secondary':
        this.#require('secondary');
        if (request.id !== this.#secondary.id) return { status: 404 };
        return { status: 200, data: this.#cluster.filtered && this.#cluster.content.filterable };
      default:
        throw new Error(`no such request: ${request.kind}`);
    }
  }

  #becomePrimary(set: string, addr: string, former: string): void {
    this.#cluster.filtered = false;
    this.#cluster.role = { mode: 'primary', set, addr, former, known: {}, filters: {} };
    this.#draft.interrupt(this.#index);
  }

  #issueToken({ id, for: key }: Extract<Request, { kind: 'issue-token' }>): Answer {
    this.#require('primary');
    const { known, filters, set, addr } = this.#primary;
    if (known[id] !== undefined) throw this.#refusal('secondaryIdInUse');
    if (this.#assumed('filterAfterNewToken').dropped) delete filters[id];
    // The key in the token is not the public key for which the token is encrypted. It is the only
    // new key of this step, so it cannot be confused with another new key.
    const secret = fresh('k');
    known[id] = { key: secret, expired: false, contact: 'never' };
    const token: Token = {
      id,
      set,
      addr: addr === '' ? addressOf(this.#index) : addr,
      key: secret,
      for: key,
    };
    return { status: 200, data: token };
  }

  /** Decrypts a token. This uses up the key of this cluster. */
  #activate(token: Token): void {
    if (this.#cluster.key !== token.for) throw this.#refusal('foreignActivationToken');
    const primary = this.#draft.reach(this.#index, token.addr, token.set);
    if (primary !== undefined && !this.#draft.admits(this.#draft.cluster(primary).role as Primary, token))
      throw this.#refusal('deadActivationToken');
    this.#cluster.key = null;
  }

  #follow({ set, id, addr, key }: Token, bootstrapping: boolean, hasFollowed: boolean): void {
    if (hasFollowed) this.#draft.disconnect(this.#index);
    this.#cluster.complete = false;
    this.#cluster.role = {
      mode: 'secondary',
      set,
      id,
      addr,
      addrs: [addr],
      key,
      bootstrapping,
      contact: null,
      link: null,
      connection: 'idle',
    };
  }

  #updatePrimary({ token, addrs }: Extract<Request, { kind: 'update-primary' }>): Answer {
    const draft = this.#draft;
    const role = this.#secondary;
    if (addrs.length > 0) {
      const answering = addrs.filter((each) => draft.reach(this.#index, each, role.set) !== undefined);
      if (answering.length === 0) throw this.#refusal('primaryAddresses');
      draft.disconnect(this.#index);
      role.addrs = answering;
    } else if (token === null) {
      draft.disconnect(this.#index);
      this.#cluster.role = { ...role, addr: '', addrs: [], key: null, contact: null, connection: 'idle' };
    } else {
      this.#activate(token);
      if (token.set !== role.set) throw this.#refusal('otherReplicationSet');
      this.#follow(token, role.bootstrapping, true);
      if (role.key === null && this.#assumed('tokensAfterUpdatePrimary').revoked) this.#cluster.logins = 0;
    }
    draft.connect(this.#index);
    return OK;
  }

  #require(...modes: readonly Cluster['role']['mode'][]): void {
    if (!modes.includes(this.#cluster.role.mode)) throw this.#refusal('wrongReplicationMode');
  }

  #refusal(
    name:
      | 'unavailability'
      | 'forwardingFailed'
      | 'wrongReplicationMode'
      | 'secondaryIdInUse'
      | 'foreignActivationToken'
      | 'deadActivationToken'
      | 'otherReplicationSet'
      | 'primaryAddresses',
  ): Refused {
    return new Refused((this.#assumed(name) as RefusalWords<never>).status);
  }
}

function withMark(marks: readonly number[], mark: number): number[] {
  return [...new Set([...marks, mark])].sort((a, b) => a - b);
}
