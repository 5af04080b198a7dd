import { createECDH } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../core/primitives/json';

/** The key with which a secondary authenticates to its primary: a JSON Web Key of curve P-521. */
export interface ClientKey extends JsonObject {
  readonly x: string;
  readonly y: string;
  /** The private key. */
  readonly d: string;
}

/** A client key as activation tokens contain it, with whole numbers. */
export interface ClientKeyInToken extends JsonObject {
  readonly type: 'p521';
  readonly x: bigint | number;
  readonly y: bigint | number;
  readonly d: bigint | number;
}

/** Whether a value from an activation token is a client key. */
export function isClientKey(value: unknown): value is ClientKeyInToken {
  return (
    isJsonObject(value) && [value.x, value.y, value.d].every((each) => isNumberOfCurve(each)) && value.d !== 0
  );
}

const LARGEST = (1n << 521n) - 1n;

function isNumberOfCurve(value: unknown): boolean {
  if (typeof value === 'bigint') return value >= 0n && value <= LARGEST;
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

const CURVE = 'secp521r1';

/** The length of the curve's numbers in hex digits. */
const DIGITS = 132;

export function newClientKey(): ClientKey {
  const pair = createECDH(CURVE);
  const half = coordinates(pair.generateKeys());
  const d = Buffer.from(pair.getPrivateKey('hex').padStart(DIGITS, '0'), 'hex').toString('base64url');
  PUBLIC_HALVES.set(d, half);
  return { ...half, d };
}

export function publicHalf(key: ClientKey): ClientKey {
  return { ...key, d: '' };
}

/**
 * Public keys by their private keys. Computing one takes a millisecond, and a secondary uses the
 * same key for every connection.
 */
const PUBLIC_HALVES = new Map<string, Pick<ClientKey, 'x' | 'y'>>();

/** Whether `known` is the public key that belongs to the private key in `key`. */
export function provesIdentity(key: ClientKey, known: ClientKey): boolean {
  const half = PUBLIC_HALVES.get(key.d) ?? computedHalf(key);
  return half !== undefined && half.x === known.x && half.y === known.y;
}

/** @returns the public key; `undefined` if the number is not a private key of the curve. */
function computedHalf(key: ClientKey): Pick<ClientKey, 'x' | 'y'> | undefined {
  const pair = createECDH(CURVE);
  try {
    pair.setPrivateKey(key.d, 'base64url');
  } catch {
    return undefined;
  }
  const half = coordinates(pair.getPublicKey());
  PUBLIC_HALVES.set(key.d, half);
  return half;
}

/**
 * Returns the coordinates of an uncompressed point: its first byte is the format, the rest are the
 * two numbers.
 */
function coordinates(point: Buffer): { readonly x: string; readonly y: string } {
  const middle = 1 + (point.length - 1) / 2;
  return { x: point.toString('base64url', 1, middle), y: point.toString('base64url', middle) };
}

export function clientKeyInToken({ x, y, d }: ClientKey): ClientKeyInToken {
  return { type: 'p521', x: toNumber(x), y: toNumber(y), d: toNumber(d) };
}

export function clientKeyFromToken({ x, y, d }: ClientKeyInToken): ClientKey {
  return { x: fromNumber(x), y: fromNumber(y), d: fromNumber(d) };
}

function toNumber(text: string): bigint {
  return BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`);
}

function fromNumber(number: bigint | number): string {
  return Buffer.from(number.toString(16).padStart(DIGITS, '0'), 'hex').toString('base64url');
}
