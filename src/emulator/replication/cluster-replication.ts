import {
  NEVER_EPOCH,
  type ReplicationCallName,
  type ReplicationMode,
  modesOfCall,
  transitionOf,
} from '../../model';
import { assumptions } from '../assumptions';
import type { Handler, LogicalRequest, LogicalResponse, ResponseData } from '../core/backend';
import type { Timer } from '../core/clock';
import { LogicalError, codedError, invalidRequest } from '../core/errors';
import { uuid } from '../core/identifiers';
import type { Json } from '../core/json';
import type { RequestReplication } from '../core/parts';
import { ReadOnlyError } from '../core/read-only';
import { type Activation, readEncryptedToken } from './activation';
import type { ReplicationHost } from './host';
import type { NetworkMember, ReplicationNetwork } from './network';
import { PrimaryRole } from './primary-role';
import { newKeyPair } from './public-keys';
import { SecondaryRole, type ReachablePrimary } from './secondary-role';
import { Site } from './site';
import { Crashed, type CrashStep } from './steps';
import { type WrappingClaims, unwrapActivation, wrappingClaims } from './unwrap';

/** Where a secondary finds its primary, as requests say it. */
export interface TokenAndContact {
  readonly token: string;
  readonly primary_api_addr: string;
  readonly ca_file: string;
  readonly ca_path: string;
}

/** Served while the first sync is under way: what shows how far it is, and what ends it. */
const servedDuringSync = 'sys/replication/';

/** The part that one cluster takes in performance replication: its mode, the ways from one to the next, and its role. */
export class ClusterReplication implements NetworkMember, RequestReplication {
  readonly primary: PrimaryRole;
  readonly secondary: SecondaryRole;
  private readonly site: Site;
  private restart: Timer | undefined;
  private isRestarting = false;
  private isStopped = false;
  /** While data comes from the primary, or is cleared for it. */
  private writesAsReplication = false;
  private isReplicated = false;

  /** @param unavailableMs how long a change of mode interrupts service, by the emulator's clock. */
  constructor(
    private readonly host: ReplicationHost,
    private readonly network: ReplicationNetwork<ClusterReplication>,
    private readonly unavailableMs: number,
  ) {
    this.site = new Site(host, network);
    this.primary = new PrimaryRole(this.site);
    this.secondary = new SecondaryRole(
      this.site,
      (address, clusterId) => this.reach(address, clusterId),
      (write) => this.asReplication(write),
      () => this.network.wake(),
    );
    host.storage.observe({
      before: (key, value) => this.beforeWrite(key, value),
      after: (key, value) => this.afterWrite(key, value),
    });
  }

  get name(): string {
    return this.host.name;
  }

  get apiAddress(): string {
    return this.site.apiAddress;
  }

  get clusterAddress(): string {
    return this.site.clusterAddress;
  }

  get mode(): ReplicationMode {
    return this.site.store.record?.mode ?? 'disabled';
  }

  /** The mode as `sys/health` tells it. */
  get healthMode(): ReplicationMode | 'bootstrapping' {
    return this.isRestarting || this.isBootstrapping ? 'bootstrapping' : this.mode;
  }

  /** Whether the cluster is more than a standby, as `sys/health` tells it. */
  get isActive(): boolean {
    return this.healthMode !== 'bootstrapping';
  }

  /** Whether a change of mode interrupts service just now. */
  get isInterrupted(): boolean {
    return this.isRestarting;
  }

  /** Begins to take part, when the cluster can be reached. */
  start(options: { readonly afterCrash: boolean }): void {
    this.site.chooseClusterAddress();
    this.network.join(this);
    if (this.mode === 'primary') this.primary.noteStart();
    if (this.mode === 'secondary') this.secondary.noteStart();
    if (this.isBootstrapping) this.wipe();
    if (options.afterCrash) this.interrupt();
    else this.resume();
  }

  /** Ends what goes on, as the end of the process would. */
  stop(): void {
    this.isStopped = true;
    this.restart?.cancel();
    this.lose();
  }

  /** Ends connections for as long as the cluster is sealed. */
  sealed(): void {
    this.lose();
  }

  unsealed(): void {
    this.network.wake();
  }

  // What the handling of requests asks for.

  admit(path: string): void {
    if (!this.isRestarting && (!this.isBootstrapping || path.startsWith(servedDuringSync))) return;
    throw new LogicalError(503, assumptions.unavailability.text);
  }

  forward(request: LogicalRequest): ReturnType<Handler> {
    return this.secondary.forward(request);
  }

  // What the network asks for.

  connect(): void {
    if (this.isUp && this.mode === 'secondary') this.secondary.connect();
  }

  lose(other?: string): void {
    if (this.mode === 'primary') this.primary.lose(other);
    if (this.mode === 'secondary') this.secondary.lose(other);
  }

  proceed(): void {
    if (this.mode === 'secondary') this.secondary.proceed();
  }

  // Calls.

  /** @throws LogicalError 400 where the call cannot be made in the cluster's mode. */
  require(call: ReplicationCallName): void {
    const modes = modesOfCall(call);
    if (!modes.includes(this.mode))
      throw invalidRequest(assumptions.wrongReplicationMode.text(this.mode, modes));
  }

  reached(step: CrashStep): void {
    this.site.reached(step);
  }

  status(): ResponseData {
    const { mode } = this;
    if (mode === 'disabled') return { mode };
    return {
      ...(mode === 'primary' ? this.primary.status() : this.secondary.status()),
      merkle_root: this.site.merkleRoot,
      corrupted_merkle_tree: false,
      last_corruption_check_epoch: String(NEVER_EPOCH),
      ssct_generation_counter: 0,
    };
  }

  enablePrimary(primaryClusterAddr: string): LogicalResponse {
    const { store, keys } = this.site;
    // The log begins with all that is there.
    store.lastWal = Math.max(store.lastWal, keys.entries().length);
    store.record = { mode: 'primary', clusterId: uuid(), primaryClusterAddr, secondaries: {}, filters: {} };
    return this.changed('enablePrimary', 'primary-enabled');
  }

  demotePrimary(): LogicalResponse {
    const { store } = this.site;
    this.primary.resign();
    store.position = { applied: store.lastWal, complete: true };
    store.record = {
      mode: 'secondary',
      clusterId: this.primary.record.clusterId,
      secondaryId: '',
      primaryClusterAddr: '',
      knownPrimaryAddrs: [],
      bootstrapping: false,
    };
    return this.changed('demotePrimary', 'primary-demoted');
  }

  disablePrimary(): LogicalResponse {
    this.primary.resign();
    this.site.store.record = undefined;
    return this.changed('disablePrimary', 'primary-disabled');
  }

  /** @throws LogicalError 503 where data of the primary is missing, or may be, unless forced. */
  promoteSecondary(primaryClusterAddr: string, force: boolean): LogicalResponse {
    if (!force && !this.secondary.isComplete) {
      throw new LogicalError(503, assumptions.promotionWhileBehind.text);
    }
    const { store } = this.site;
    this.secondary.disconnect();
    store.lastWal = Math.max(store.lastWal, store.position.applied);
    store.record = {
      mode: 'primary',
      clusterId: this.secondary.record.clusterId,
      primaryClusterAddr,
      secondaries: {},
      filters: {},
    };
    this.forgetWithheld();
    return this.changed('promoteSecondary', 'secondary-promoted');
  }

  disableSecondary(): LogicalResponse {
    this.secondary.disconnect();
    this.site.store.record = undefined;
    this.forgetWithheld();
    return this.changed('disableSecondary', 'secondary-disabled');
  }

  generatePublicKey(): string {
    const { privateKey, publicKey } = newKeyPair();
    this.site.store.activationKey = privateKey;
    this.reached('key-generated');
    return publicKey;
  }

  async enableSecondary(request: TokenAndContact): Promise<LogicalResponse> {
    const activation = await this.activate(request);
    // The mode may be another one by now.
    this.require('enableSecondary');
    this.secondary.follow(activation, true);
    this.reached('secondary-enabled');
    this.wipe();
    this.reached('storage-wiped');
    this.interrupt();
    return warningOf('enableSecondary');
  }

  async followOtherPrimary(request: TokenAndContact): Promise<LogicalResponse> {
    const activation = await this.activate(request);
    this.require('updatePrimary');
    if (activation.clusterId !== this.secondary.record.clusterId)
      throw invalidRequest(assumptions.otherReplicationSet.text(activation.clusterId));
    this.secondary.follow(activation, this.isBootstrapping);
    return this.primaryUpdated();
  }

  /** @throws LogicalError 400 where no primary of the set answers at any of the addresses. */
  usePrimaryAddresses(addresses: readonly string[]): LogicalResponse {
    const answering = this.secondary.ping(addresses);
    if (answering.length === 0) throw invalidRequest(assumptions.primaryAddresses.text(addresses));
    this.secondary.useAddresses(answering);
    return this.primaryUpdated();
  }

  forgetPrimary(): LogicalResponse {
    this.secondary.forgetPrimary();
    return this.primaryUpdated();
  }

  private get isBootstrapping(): boolean {
    const { record } = this.site.store;
    return record?.mode === 'secondary' && record.bootstrapping;
  }

  private get isUp(): boolean {
    return !this.isStopped && !this.isRestarting && !this.host.sealed;
  }

  private changed(call: ReplicationCallName, step: CrashStep): LogicalResponse {
    this.reached(step);
    this.interrupt();
    return warningOf(call);
  }

  private primaryUpdated(): LogicalResponse {
    this.reached('primary-updated');
    this.connect();
    return {};
  }

  /** Fetches or decrypts what a token holds, which uses it up. */
  private async activate(request: TokenAndContact): Promise<Activation> {
    const claims = wrappingClaims(request.token);
    const activation =
      claims === undefined ? this.decrypt(request.token) : await this.unwrap(claims, request);
    const reachable = this.reach(activation.primaryClusterAddr, activation.clusterId);
    if (activation.expiresAt <= this.site.now() || reachable?.admits(activation) === false)
      throw codedError(500, assumptions.deadActivationToken.text);
    this.site.store.activationKey = undefined;
    return activation;
  }

  private decrypt(token: string): Activation {
    const activation = readEncryptedToken(token, this.site.store.activationKey);
    if (activation === undefined) throw invalidRequest(assumptions.foreignActivationToken.text);
    return activation;
  }

  private async unwrap(claims: WrappingClaims, request: TokenAndContact): Promise<Activation> {
    const activation = await unwrapActivation(claims, {
      primaryApiAddr: request.primary_api_addr,
      caFile: request.ca_file,
      caPath: request.ca_path,
      loses: (address) => this.network.loses(this.name, address),
    });
    if (this.isStopped) throw new Crashed(this.name);
    this.reached('token-unwrapped');
    return activation;
  }

  /** The brief time without service that follows the answer. */
  private interrupt(): void {
    this.lose();
    this.restart?.cancel();
    this.isRestarting = true;
    if (this.unavailableMs === 0) this.resume();
    else this.restart = this.host.clock.schedule(this.unavailableMs, () => this.resume());
  }

  private resume(): void {
    this.isRestarting = false;
    this.network.wake();
  }

  private wipe(): void {
    this.asReplication(() => this.host.wipe());
    this.forgetWithheld();
    this.site.store.position = { applied: 0, complete: false };
  }

  private forgetWithheld(): void {
    this.site.store.withheld.clear('');
    this.site.changed();
  }

  private reach(address: string, clusterId: string): ReachablePrimary | undefined {
    const found = this.network.reach(this.name, address);
    return found?.isUp === true && found.mode === 'primary' && found.primary.record.clusterId === clusterId
      ? found.asPrimary()
      : undefined;
  }

  private asPrimary(): ReachablePrimary {
    const { primary, host, site } = this;
    return {
      name: this.name,
      apiAddress: this.apiAddress,
      clusterAddress: this.clusterAddress,
      get unsealKey() {
        return host.unsealKey;
      },
      get lastWal() {
        return site.store.lastWal;
      },
      admits: (activation) => primary.admits(activation),
      accept: (introduction, target, onEnd) =>
        primary.admits(introduction) ? primary.connect(introduction, target, onEnd) : undefined,
      hangUp: (secondaryId) => primary.hangUp(secondaryId),
      handle: (request) => host.execute(request),
      write: (key, value) => host.storage.put(key, value),
    };
  }

  private asReplication(write: () => void): void {
    const before = this.writesAsReplication;
    this.writesAsReplication = true;
    try {
      write();
    } finally {
      this.writesAsReplication = before;
    }
  }

  private beforeWrite(key: string, value: Json | undefined): void {
    this.isReplicated = this.site.keys.includes(key, value);
    if (!this.isReplicated || this.writesAsReplication || this.mode !== 'secondary') return;
    // Logins make entities, which belong to the whole set, while their tokens stay where they are.
    const isEntity = /^(ns_)?identity$/.test(this.site.keys.mountOf(key)?.type ?? '');
    if (value === undefined || !isEntity) throw new ReadOnlyError();
    this.secondary.forwardWrite(key, value);
  }

  private afterWrite(key: string, value: Json | undefined): void {
    this.site.keys.note(key, value);
    if (!this.isReplicated) return;
    this.site.changed();
    if (this.mode === 'primary') this.primary.written({ key, value });
  }
}

function warningOf(call: ReplicationCallName): LogicalResponse {
  const { warning } = transitionOf(call) ?? {};
  return warning === undefined ? {} : { warnings: [warning] };
}
