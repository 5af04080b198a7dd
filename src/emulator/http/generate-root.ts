import type { Cluster } from '../cluster';
import { openRefusal, settled } from '../core/errors';
import { type RootGeneration, OTP_LENGTH } from '../core/stores/root-generation';
import { isJsonObject, parseJson } from '../core/primitives/json';
import type { HttpRequest } from './call-reader';
import { type Answer, errorAnswer, jsonAnswer, refusal } from '../core/request/answer';

/** The emulator does not encrypt root tokens with PGP keys. */
const NO_PGP = 'pgp_key is not supported by the emulator: use an otp';

/** Of the methods of `sys/generate-root/attempt`. */
export function generateRootStatus(cluster: Cluster): Answer {
  return answering(cluster, () => show(cluster.rootGeneration));
}

export function startGenerateRoot(cluster: Cluster, _request: HttpRequest, body: string): Answer {
  return answering(cluster, () => {
    const { otp = '', pgp_key = '' } = readTexts(body);
    if (pgp_key !== '') return errorAnswer(400, NO_PGP);
    const made = cluster.rootGeneration.start(otp);
    return show(cluster.rootGeneration, otp === '' ? { otp: made } : {});
  });
}

export function cancelGenerateRoot(cluster: Cluster): Answer {
  return answering(cluster, () => {
    cluster.rootGeneration.cancel();
    return { status: 204, body: '', contentType: '' };
  });
}

export function updateGenerateRoot(cluster: Cluster, _request: HttpRequest, body: string): Answer {
  return answering(cluster, () => {
    const { key = '', nonce = '' } = readTexts(body);
    if (key === '') return errorAnswer(400, "'key' must be specified in request body as JSON");
    const { status } = cluster.rootGeneration;
    const token = cluster.rootGeneration.finish(key, nonce);
    const done = { ...status, progress: 1, complete: true, encoded_token: token, encoded_root_token: token };
    return show(cluster.rootGeneration, { ...done, otp_length: 0 });
  });
}

function answering(cluster: Cluster, answer: () => Answer): Answer {
  if (cluster.sealed) return errorAnswer(503, 'Vault is sealed');
  if (cluster.replication.isInterrupted) {
    return refusal(settled(openRefusal('unavailability'), cluster.server));
  }
  try {
    return answer();
  } catch (error) {
    return refusal(error);
  }
}

function show(generation: RootGeneration, more: object = {}): Answer {
  return jsonAnswer(200, {
    ...generation.status,
    progress: 0,
    required: 1,
    complete: false,
    encoded_token: '',
    encoded_root_token: '',
    pgp_fingerprint: '',
    otp: '',
    otp_length: OTP_LENGTH,
    ...more,
  });
}

/** The members of the body that are texts. */
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
