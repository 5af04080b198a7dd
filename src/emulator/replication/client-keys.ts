import {
  type JsonWebKey,
  type KeyObject,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import type { JsonObject } from '../core/json';

/** A key of curve P-521 that a secondary shows its primary who it is with: a JSON Web Key. */
export interface ClientKey extends JsonObject {
  readonly x: string;
  readonly y: string;
  /** The private part. */
  readonly d: string;
}

/** A client key as activation tokens carry it, with whole numbers. */
export interface ClientKeyInToken extends JsonObject {
  readonly type: 'p521';
  readonly x: bigint | number;
  readonly y: bigint | number;
  readonly d: bigint | number;
}

export function newClientKey(): ClientKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
  return { x, y, d };
}

export function publicHalf(key: ClientKey): ClientKey {
  return { ...key, d: '' };
}

/** Whether somebody who has `key` is who `known`, a public half, belongs to. */
export function provesIdentity(key: ClientKey, known: ClientKey): boolean {
  const challenge = randomBytes(32);
  return verify('sha512', challenge, publicKey(known), sign('sha512', challenge, privateKey(key)));
}

export function clientKeyInToken({ x, y, d }: ClientKey): ClientKeyInToken {
  return { type: 'p521', x: toNumber(x), y: toNumber(y), d: toNumber(d) };
}

export function clientKeyFromToken({ x, y, d }: ClientKeyInToken): ClientKey {
  return { x: fromNumber(x), y: fromNumber(y), d: fromNumber(d) };
}

const curve = { kty: 'EC', crv: 'P-521' };
/** A number of the curve, in hex digits. */
const digits = 132;

function privateKey({ x, y, d }: ClientKey): KeyObject {
  return createPrivateKey({ key: { ...curve, x, y, d } as JsonWebKey, format: 'jwk' });
}

function publicKey({ x, y }: ClientKey): KeyObject {
  return createPublicKey({ key: { ...curve, x, y } as JsonWebKey, format: 'jwk' });
}

function toNumber(text: string): bigint {
  return BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`);
}

function fromNumber(number: bigint | number): string {
  return Buffer.from(number.toString(16).padStart(digits, '0'), 'hex').toString('base64url');
}
