import { type ReplicationCallName, type ReplicationMode, modesOfCall, transitionOf } from '../../model';
import { ASSUMPTIONS } from '../assumptions';
import type { LogicalResponse } from '../core/backend';
import { LogicalError, invalidRequest } from '../core/errors';
import { uuid } from '../core/primitives/identifiers';
import { type TokenAndContact, activate } from './activation/activate';
import type { PrimaryRole } from './primary-role';
import type { Reach } from './streaming/connection';
import type { SecondaryRole } from './secondary-role';
import type { Site } from './site';
import type { CrashStep } from './steps';

/** What a change of mode does to the running cluster. */
export interface ServiceControl {
  /** Clears all data, which makes room for the primary's. */
  wipe(): void;
  /** Interrupts service for a while, and connects after it. */
  interrupt(): void;
  /** Connects at once, where that is possible. */
  connect(): void;
}

/** The ways from one mode to another. Each stores what becomes of the cluster before anything else happens. */
export class ModeChanges {
  readonly #site: Site;
  readonly #primary: PrimaryRole;
  readonly #secondary: SecondaryRole;
  readonly #reach: Reach;
  readonly #service: ServiceControl;

  constructor(
    site: Site,
    primary: PrimaryRole,
    secondary: SecondaryRole,
    reach: Reach,
    service: ServiceControl,
  ) {
    this.#site = site;
    this.#primary = primary;
    this.#secondary = secondary;
    this.#reach = reach;
    this.#service = service;
  }

  /** @throws LogicalError 400 where a call cannot be made in the cluster's mode. */
  require(call: ReplicationCallName): void {
    const modes: readonly ReplicationMode[] = modesOfCall(call);
    const { mode } = this.#site;
    if (!modes.includes(mode)) throw invalidRequest(ASSUMPTIONS.wrongReplicationMode.text(mode, modes));
  }

  enablePrimary(primaryClusterAddr: string): LogicalResponse {
    const { store, keys } = this.#site;
    // The log begins with all that is there.
    store.lastWal = Math.max(store.lastWal, keys.entries().length);
    this.#primary.begin(uuid(), primaryClusterAddr);
    return this.#done('enablePrimary', 'primary-enabled');
  }

  demotePrimary(): LogicalResponse {
    const { clusterId } = this.#primary.record;
    this.#primary.resign();
    this.#secondary.beginAlone(clusterId);
    return this.#done('demotePrimary', 'primary-demoted');
  }

  disablePrimary(): LogicalResponse {
    this.#primary.resign();
    this.#site.store.record = undefined;
    return this.#done('disablePrimary', 'primary-disabled');
  }

  /** @throws LogicalError 503 where data of the primary is missing, or may be, unless forced. */
  promoteSecondary(primaryClusterAddr: string, force: boolean): LogicalResponse {
    if (!force && !this.#secondary.isComplete) {
      throw new LogicalError(503, ASSUMPTIONS.promotionWhileBehind.text);
    }
    const { store } = this.#site;
    const { clusterId } = this.#secondary.record;
    this.#secondary.end();
    store.lastWal = Math.max(store.lastWal, store.position.applied);
    this.#primary.begin(clusterId, primaryClusterAddr);
    return this.#done('promoteSecondary', 'secondary-promoted');
  }

  disableSecondary(): LogicalResponse {
    this.#secondary.end();
    this.#site.store.record = undefined;
    return this.#done('disableSecondary', 'secondary-disabled');
  }

  async enableSecondary(request: TokenAndContact): Promise<LogicalResponse> {
    const activation = await activate(this.#site, this.#reach, request);
    // The mode may be another one by now.
    this.require('enableSecondary');
    this.#secondary.follow(activation, true);
    this.#site.reached('secondary-enabled');
    this.#service.wipe();
    return this.#done('enableSecondary', 'storage-wiped');
  }

  async followOtherPrimary(request: TokenAndContact): Promise<LogicalResponse> {
    const activation = await activate(this.#site, this.#reach, request);
    this.require('updatePrimary');
    const { clusterId, bootstrapping } = this.#secondary.record;
    if (activation.clusterId !== clusterId)
      throw invalidRequest(ASSUMPTIONS.otherReplicationSet.text(activation.clusterId));
    this.#secondary.follow(activation, bootstrapping);
    return this.#done('updatePrimary', 'primary-updated');
  }

  /** @throws LogicalError 400 where no primary of the set answers at any of the addresses. */
  usePrimaryAddresses(addresses: readonly string[]): LogicalResponse {
    const answering = this.#secondary.ping(addresses);
    if (answering.length === 0) throw invalidRequest(ASSUMPTIONS.primaryAddresses.text(addresses));
    this.#secondary.useAddresses(answering);
    return this.#done('updatePrimary', 'primary-updated');
  }

  forgetPrimary(): LogicalResponse {
    this.#secondary.forgetPrimary();
    return this.#done('updatePrimary', 'primary-updated');
  }

  #done(call: ReplicationCallName, step: CrashStep): LogicalResponse {
    this.#site.reached(step);
    const { interruptsService = false, warning } = transitionOf(call) ?? {};
    if (interruptsService) this.#service.interrupt();
    else this.#service.connect();
    return warning === undefined ? {} : { warnings: [warning] };
  }
}
