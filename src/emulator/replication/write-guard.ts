import type { Json } from '../core/primitives/json';
import { ReadOnlyError } from '../core/errors';
import type { StorageObserver } from '../core/primitives/storage';
import type { PrimaryRole } from './primary-role';
import type { SecondaryRole } from './secondary-role';
import { isOfReplication } from './record';
import { isMount } from './replicated-keys';
import type { Site } from './site';

/**
 * Ensures that replicated data is only written on primaries, and that every such write is in the
 * WAL.
 */
export class WriteGuard implements StorageObserver {
  /** The number of writes since the start, including local ones. */
  writes = 0;
  /**
   * The number of writes that are not in the WAL for secondaries, starting with the number of
   * stored keys.
   */
  localWrites: number;
  #isOpen = false;
  /** Whether the current write is replicated. */
  #isReplicated = false;

  readonly #site: Site;
  readonly #primary: PrimaryRole;
  readonly #secondary: SecondaryRole;

  constructor(site: Site, primary: PrimaryRole, secondary: SecondaryRole) {
    this.#site = site;
    this.#primary = primary;
    this.#secondary = secondary;
    this.localWrites = site.host.storage.keys('').filter((key) => !isOfReplication(key)).length;
    site.host.storage.observe(this);
  }

  /** Allows writes of replicated data while `write` runs, for data of the primary. */
  open(write: () => void): void {
    const before = this.#isOpen;
    this.#isOpen = true;
    try {
      write();
    } finally {
      this.#isOpen = before;
    }
  }

  before(key: string, value: Json | undefined): void {
    const { keys, mode } = this.#site;
    this.#isReplicated = keys.includes(key, value);
    if (this.#isOpen || mode !== 'secondary') return;
    if (!this.#isReplicated) {
      if (value !== undefined && isMount(key)) this.#checkLocalMount();
      return;
    }
    // Entities that logins create belong to the whole set; the tokens of logins are local.
    const isEntity = /^(ns_)?identity$/.test(keys.mountOf(key)?.type ?? '');
    if (value === undefined || !isEntity) throw new ReadOnlyError();
    this.#secondary.forwarding.write(key, value);
  }

  #checkLocalMount(): void {
    const { accepted } = this.#site.host.server.assumed('localEngineWithoutPrimary');
    if (!accepted) this.#secondary.forwarding.requirePrimary();
  }

  after(key: string, value: Json | undefined): void {
    this.writes += 1;
    this.#site.keys.note(key);
    const isInLog = this.#isReplicated && this.#site.mode === 'primary';
    if (!isInLog && !isOfReplication(key)) this.localWrites += 1;
    if (!this.#isReplicated) return;
    this.#site.changed();
    if (isInLog) this.#primary.written({ key, value });
  }
}
