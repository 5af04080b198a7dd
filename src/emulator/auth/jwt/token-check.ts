import { compactVerify, decodeProtectedHeader, errors } from 'jose';
import type { KeyObject } from 'node:crypto';
import { invalidRequest } from '../../core/errors';
import { parseForeignJson } from '../../../text';
import { isJsonObject, type JsonObject } from '../../core/primitives/json';
import { publicKeys, SIGNATURE_ALGORITHMS, type JwtConfig } from './config';
import type { RoleSettings } from './role';

const DEFAULT_LEEWAY_SECONDS = 150;
const DEFAULT_CLOCK_SKEW_SECONDS = 60;

const NO_KEYS = "error validating token: the emulator fetches no keys: configure 'jwt_validation_pubkeys'";

/**
 * Returns the claims of a token that is signed with a configured key, meant for the role, and valid
 * now.
 *
 * @throws LogicalError with the server's text for the reason why the token is refused.
 */
export async function checkedClaims(
  token: string,
  config: JwtConfig,
  role: RoleSettings,
  now: number,
): Promise<JsonObject> {
  const keys = publicKeys(config);
  if (keys.length === 0) throw invalidRequest(NO_KEYS);
  const claims = await verify(token, keys);
  checkAlgorithm(token, config);
  if (config.bound_issuer !== '' && claims['iss'] !== config.bound_issuer) {
    throw invalid('invalid issuer (iss) claim');
  }
  if (role.bound_subject !== '' && claims['sub'] !== role.bound_subject) {
    throw invalid('invalid subject (sub) claim');
  }
  checkAudience(claims, role.bound_audiences ?? []);
  checkTimes(claims, role, Math.floor(now / 1000));
  return claims;
}

async function verify(token: string, keys: readonly KeyObject[]): Promise<JsonObject> {
  for (const key of keys) {
    try {
      const { payload } = await compactVerify(token, key);
      const claims = parseForeignJson(new TextDecoder().decode(payload));
      if (isJsonObject(claims)) return claims;
    } catch (error) {
      // Another key may match. A text that is not a token fails with every key.
      if (!(error instanceof errors.JOSEError || error instanceof TypeError || error instanceof SyntaxError))
        throw error;
    }
  }
  throw invalid('error verifying token signature: no known key successfully validated the token signature');
}

function checkAlgorithm(token: string, config: JwtConfig): void {
  const accepted = config.jwt_supported_algs.length > 0 ? config.jwt_supported_algs : SIGNATURE_ALGORITHMS;
  if (accepted.includes(decodeProtectedHeader(token).alg ?? '')) return;
  throw invalid('invalid algorithm (alg) header parameter: token signed with unexpected algorithm');
}

function checkAudience({ aud }: JsonObject, bound: readonly string[]): void {
  const audiences = typeof aud === 'string' ? [aud] : Array.isArray(aud) ? aud : [];
  if (bound.length > 0 && !bound.some((audience) => audiences.includes(audience))) {
    throw invalid('invalid audience (aud) claim: audience claim does not match any expected audience');
  }
  if (bound.length === 0 && audiences.length > 0) {
    throw invalidRequest('audience claim found in JWT but no audiences bound to the role');
  }
}

function checkTimes(claims: JsonObject, role: RoleSettings, now: number): void {
  const issuedAt = seconds(claims['iat']);
  const notBefore = seconds(claims['nbf']);
  const expires = seconds(claims['exp']);
  if (issuedAt === 0 && notBefore === 0 && expires === 0) {
    throw invalid('no issued at (iat), not before (nbf), or expiration time (exp) claims in token');
  }
  const end =
    expires || Math.max(issuedAt, notBefore) + leeway(role.expiration_leeway, DEFAULT_LEEWAY_SECONDS);
  const start = notBefore || issuedAt || end - leeway(role.not_before_leeway, DEFAULT_LEEWAY_SECONDS);
  const skew = leeway(role.clock_skew_leeway, DEFAULT_CLOCK_SKEW_SECONDS);
  if (now + skew < start) throw invalid('invalid not before (nbf) claim: token not yet valid');
  if (now - skew > end) throw invalid('invalid expiration time (exp) claim: token is expired');
  if (now + skew < issuedAt) throw invalid('invalid issued at (iat) claim: token issued in the future');
}

function seconds(claim: unknown): number {
  return typeof claim === 'number' ? Math.floor(claim) : 0;
}

function leeway(setting: number, byDefault: number): number {
  return setting === 0 ? byDefault : Math.max(setting, 0);
}

function invalid(reason: string) {
  return invalidRequest(`error validating token: ${reason}`);
}
