import { createHmac, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../core/primitives/identifiers';
import type { LoopbackHead, LoopbackRequest } from './loopback';

/** The credentials that an S3 server accepts. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** If set, every request must contain it. */
  readonly sessionToken?: string;
}

/** The error code of S3 for a refusal. */
export type SignatureFault =
  | 'AccessDenied'
  | 'InvalidAccessKeyId'
  | 'InvalidToken'
  | 'SignatureDoesNotMatch'
  | 'XAmzContentSHA256Mismatch';

const HEADER =
  /^AWS4-HMAC-SHA256 Credential=(?<id>[^/]+)\/(?<scope>[^,]+), *SignedHeaders=(?<names>[^,]+), *Signature=(?<signature>[0-9a-f]{64})$/;

/**
 * Checks a request's signature, version 4, which covers the hash of the body.
 *
 * @returns `undefined` if it is valid.
 */
export function signatureFault(
  request: LoopbackHead,
  { accessKeyId, secretAccessKey, sessionToken }: S3Credentials,
): SignatureFault | undefined {
  const found = HEADER.exec(request.headers.authorization ?? '')?.groups;
  if (found === undefined) return 'AccessDenied';
  const { id, scope = '', names = '', signature = '' } = found;
  if (id !== accessKeyId) return 'InvalidAccessKeyId';
  if (textOf(request, 'x-amz-security-token') !== (sessionToken ?? '')) return 'InvalidToken';

  const expected = signatureOf(request, secretAccessKey, scope, names);
  const isValid = timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
  return isValid ? undefined : 'SignatureDoesNotMatch';
}

/**
 * Returns the signature of a request.
 *
 * @param names the signed headers, separated by semicolons.
 */
export function signatureOf(request: LoopbackHead, secret: string, scope: string, names: string): string {
  return hmac(signingKey(secret, scope), stringToSign(request, scope, names)).toString('hex');
}

/** Checks a body against the hash in the headers. */
export function payloadFault(request: LoopbackRequest): SignatureFault | undefined {
  const payload = textOf(request, 'x-amz-content-sha256');
  return payload === 'UNSIGNED-PAYLOAD' || payload === sha256(request.body)
    ? undefined
    : 'XAmzContentSHA256Mismatch';
}

function stringToSign(request: LoopbackHead, scope: string, names: string): string {
  const [path = '', query = ''] = request.target.split('?', 2);
  const canonicalRequest = [
    request.method,
    path,
    query
      .split('&')
      .filter((part) => part !== '')
      .map((part) => (part.includes('=') ? part : `${part}=`))
      .sort()
      .join('&'),
    ...names.split(';').map((name) => `${name}:${textOf(request, name).trim().replace(/ +/g, ' ')}`),
    '',
    names,
    textOf(request, 'x-amz-content-sha256'),
  ].join('\n');
  return ['AWS4-HMAC-SHA256', textOf(request, 'x-amz-date'), scope, sha256(canonicalRequest)].join('\n');
}

/** @param scope date, region, service and a constant, separated by slashes. */
function signingKey(secret: string, scope: string): Buffer {
  return scope.split('/').reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`));
}

function textOf({ headers }: LoopbackHead, name: string): string {
  return String(headers[name] ?? '');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
