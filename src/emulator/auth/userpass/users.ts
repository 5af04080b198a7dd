import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { JsonObject } from '../../core/primitives/json';
import type { Storage } from '../../core/primitives/storage';
import type { TokenParams } from '../token-params';
import { COST } from './hash-cost';

export interface User extends JsonObject {
  /** The hash of the password; empty for a user without one, who cannot log in. */
  readonly passwordHash: string;
  readonly token: TokenParams;
  /** The old names of token fields that reads show besides the new names. */
  readonly oldNames: readonly string[];
}

/** The users of one mount. Their names are stored in lower case. */
export class Users {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get(name: string): User | undefined {
    return this.#storage.get<User>(key(name));
  }

  put(name: string, user: User): void {
    this.#storage.put(key(name), user);
  }

  delete(name: string): void {
    this.#storage.delete(key(name));
  }

  names(): string[] {
    return this.#storage.list('user/');
  }
}

function key(name: string): string {
  return `user/${name.toLowerCase()}`;
}

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const SALT_LENGTH = 16;
const HASH_LENGTH = 32;

/** Returns a salted hash of a password, as text. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_LENGTH);
  return Buffer.concat([salt, await derive(password, salt, HASH_LENGTH, COST)]).toString('base64');
}

/** Whether `hash` is the hash of `password`. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const bytes = Buffer.from(hash, 'base64');
  const salt = bytes.subarray(0, SALT_LENGTH);
  return timingSafeEqual(bytes.subarray(SALT_LENGTH), await derive(password, salt, HASH_LENGTH, COST));
}
