import { randomBytes } from 'node:crypto';
import type { MfaFacts } from '../../../enforcement';
import type { TOTP_METHOD } from '../../../model';
import type { InputOf } from '../input/model-input';
import { uuid } from '../primitives/identifiers';
import type { EmulatorClock } from '../primitives/clock';
import type { Storage } from '../primitives/storage';
import { base32, isPasscodeAt } from '../primitives/one-time-password';
import { openRefusal } from '../errors';

type Settings = Required<InputOf<typeof TOTP_METHOD.fields>>;

/** A TOTP method as it is stored. */
export interface TotpMethod extends Settings {
  readonly id: string;
}

/** The key of an entity, with the settings that its authenticator app has. */
interface EntityKey extends TotpMethod {
  /** The key in base64. */
  readonly key: string;
}

const METHODS = 'core/mfa/methods/';
const KEYS = 'core/mfa/keys/';

/** The MFA methods of a cluster, and the keys of its entities. */
export class MfaMethods {
  readonly #storage: Storage;
  readonly #clock: EmulatorClock;
  /**
   * The accepted passcodes, with the time in milliseconds since 1970 until which they cannot be
   * used again.
   */
  readonly #used = new Map<string, { readonly until: number }>();
  /** The number of wrong passcodes of an entity, and the time until which they count. */
  readonly #failures = new Map<string, { readonly count: number; readonly until: number }>();

  constructor(storage: Storage, clock: EmulatorClock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  get(name: string): TotpMethod | undefined {
    return this.#storage.get<TotpMethod>(METHODS + name);
  }

  put(settings: Settings): void {
    const { name } = settings;
    this.#storage.put(METHODS + name, { ...settings, id: this.get(name)?.id ?? uuid() });
  }

  /** Deletes a method, and the keys of all entities for it. */
  delete(name: string): void {
    const method = this.get(name);
    if (method === undefined) return;
    this.#storage.clear(`${KEYS}${method.id}/`);
    this.#storage.delete(METHODS + name);
  }

  /**
   * Generates a key for an entity.
   *
   * @returns the data for an authenticator app; `undefined` if the entity has a key already.
   */
  generateKey(method: TotpMethod, entityId: string): string | undefined {
    const path = keyPath(method, entityId);
    if (this.#storage.get(path) !== undefined) return undefined;
    const { algorithm, digits, issuer, key_size, period } = method;
    const key = randomBytes(key_size);
    this.#storage.put(path, { ...method, key: key.toString('base64') });
    const query = new URLSearchParams({
      algorithm,
      digits: String(digits),
      issuer,
      period: String(period),
      secret: base32(key),
    });
    return `otpauth://totp/${encodeURIComponent(issuer)}:${entityId}?${query.toString()}`;
  }

  destroyKey(method: TotpMethod, entityId: string): void {
    this.#storage.delete(keyPath(method, entityId));
  }

  /** Returns the properties of each method for policies. This uses the passcodes up. */
  facts(entityId: string | undefined, credentials: MfaCredentials): Readonly<Record<string, MfaFacts>> {
    return Object.fromEntries(
      this.#storage.list(METHODS).map((name) => {
        const method = this.get(name);
        const valid =
          method !== undefined &&
          entityId !== undefined &&
          this.#accept(method, entityId, credentials.get(name));
        return [name, { valid, type: 'totp', mountAccessor: '' }];
      }),
    );
  }

  /** Whether one of the passcodes is valid for an entity's key, and was not used before. */
  #accept(method: TotpMethod, entityId: string, passcodes: readonly string[] = []): boolean {
    const [passcode, ...others] = passcodes;
    const entityKey = this.#storage.get<EntityKey>(keyPath(method, entityId));
    if (passcode === undefined || others.length > 0 || entityKey === undefined) return false;
    const now = this.#clock.now();
    this.#forgetUntil(now);
    const { key, ...settings } = entityKey;
    const { period, skew, max_validation_attempts: most } = settings;
    const who = keyPath(method, entityId);
    const failures = this.#failures.get(who)?.count ?? 0;
    if (failures >= most || this.#used.has(`${who} ${passcode}`)) return false;
    if (!isPasscodeAt(passcode, Buffer.from(key, 'base64'), now, settings)) {
      this.#failures.set(who, { count: failures + 1, until: now + period * 1000 });
      return false;
    }
    this.#failures.delete(who);
    this.#used.set(`${who} ${passcode}`, { until: now + period * 1000 * (2 + skew) });
    return true;
  }

  #forgetUntil(now: number): void {
    for (const known of [this.#used, this.#failures])
      for (const [key, { until }] of known) if (until <= now) known.delete(key);
  }
}

function keyPath({ id }: TotpMethod, entityId: string): string {
  return `${KEYS}${id}/${entityId}`;
}

/** The values that a caller sent for MFA methods, by the name of the method. */
export type MfaCredentials = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the header `X-Vault-MFA`: `METHOD` or `METHOD:PASSCODE`. Several headers are joined by
 * commas.
 *
 * @throws LogicalError 400 if the header has another form.
 */
export function readMfaCredentials(header: string): MfaCredentials {
  const credentials = new Map<string, string[]>();
  for (const text of header.split(',').map((each) => each.trim())) {
    if (text === '') continue;
    const [, method = '', value] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
    if (method === '') throw openRefusal('mfaHeaderText', 'it names no method');
    if (value === '') throw openRefusal('mfaHeaderText', 'the value of a method is empty');
    const values = credentials.get(method) ?? [];
    credentials.set(method, values);
    if (value !== undefined) values.push(value);
  }
  return credentials;
}
