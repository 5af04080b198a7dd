import type { EmulatedCluster } from '../cluster';
import { own } from '../../text';
import { openRefusal, permissionDenied, settled } from '../core/errors';
import { type RootGeneration, OTP_LENGTH } from '../core/stores/root-generation';
import { isJsonObject, parseJson } from '../core/primitives/json';
import { type CompleteHttpRequest, readToken } from './call-reader';
import { type HttpAnswer, errorAnswer, jsonAnswer, refusal } from '../core/request/answer';

/** The emulator does not encrypt root tokens with PGP keys. */
const NO_PGP = 'pgp_key is not supported by the emulator: use an otp';

/** Returns the status of `sys/generate-root/attempt`. */
export function generateRootStatus(cluster: EmulatedCluster, request: CompleteHttpRequest): HttpAnswer {
  return answering(cluster, request, () => show(cluster.rootGeneration));
}

export function startGenerateRoot(
  cluster: EmulatedCluster,
  request: CompleteHttpRequest,
  body: string,
): HttpAnswer {
  return answering(cluster, request, () => {
    const { otp = '', pgp_key = '' } = readTexts(body);
    if (pgp_key !== '') return errorAnswer(400, NO_PGP);
    const made = cluster.rootGeneration.start(otp);
    return show(cluster.rootGeneration, otp === '' ? { otp: made } : {});
  });
}

export function cancelGenerateRoot(cluster: EmulatedCluster, request: CompleteHttpRequest): HttpAnswer {
  return answering(cluster, request, () => {
    cluster.rootGeneration.cancel();
    return { status: 204, body: '', contentType: '' };
  });
}

export function updateGenerateRoot(
  cluster: EmulatedCluster,
  request: CompleteHttpRequest,
  body: string,
): HttpAnswer {
  return answering(cluster, request, () => {
    const { key = '', nonce = '' } = readTexts(body);
    if (key === '') return errorAnswer(400, "'key' must be specified in request body as JSON");
    const { status } = cluster.rootGeneration;
    const token = cluster.rootGeneration.takeShare(key, nonce);
    if (token === undefined) return show(cluster.rootGeneration);
    const done = {
      ...status,
      progress: status.required,
      complete: true,
      encoded_token: token,
      encoded_root_token: token,
    };
    return show(cluster.rootGeneration, { ...done, otp_length: 0 });
  });
}

/** The first version whose calls for root tokens require a token. */
const AUTHENTICATED_SINCE = [2, 0] as const;

/** The capabilities for each method; the token must have at least one of them. */
const CAPABILITIES: Readonly<Record<string, readonly string[]>> = {
  GET: ['read'],
  DELETE: ['delete'],
  PUT: ['create', 'update'],
  POST: ['create', 'update'],
};

/** Whether a request is allowed: its token has the capability, or the server requires no token. */
function isAdmitted(cluster: EmulatedCluster, { method, path, headers }: CompleteHttpRequest): boolean {
  if (!cluster.server.atLeast(...AUTHENTICATED_SINCE)) return true;
  const token = cluster.tokens.lookup(cluster.wrapping.tokenId(readToken(headers)));
  if (token === undefined) return false;
  const granted = cluster.authorizer.aclFor(token).capabilities(path);
  return ['root', ...(own(CAPABILITIES, method) ?? [])].some((each) => granted.includes(each));
}

function answering(
  cluster: EmulatedCluster,
  request: CompleteHttpRequest,
  answer: () => HttpAnswer,
): HttpAnswer {
  if (cluster.sealed) return errorAnswer(503, 'Vault is sealed');
  if (cluster.replication.isInterrupted) {
    return refusal(settled(openRefusal('unavailability'), cluster.server));
  }
  if (!isAdmitted(cluster, request)) return refusal(permissionDenied());
  try {
    return answer();
  } catch (error) {
    return refusal(error);
  }
}

function show(generation: RootGeneration, more: object = {}): HttpAnswer {
  return jsonAnswer(200, {
    ...generation.status,
    complete: false,
    encoded_token: '',
    encoded_root_token: '',
    pgp_fingerprint: '',
    otp: '',
    otp_length: OTP_LENGTH,
    ...more,
  });
}

/** Returns the members of the body that are texts. */
function readTexts(body: string): Partial<Record<'otp' | 'pgp_key' | 'key' | 'nonce', string>> {
  try {
    const input = parseJson(body || '{}');
    const texts = Object.entries(isJsonObject(input) ? input : {}).filter(
      (entry) => typeof entry[1] === 'string',
    );
    return Object.fromEntries(texts);
  } catch {
    return {};
  }
}
