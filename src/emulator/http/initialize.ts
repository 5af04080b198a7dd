import type * as OpenPgp from 'openpgp' with { 'resolution-mode': 'import' };
import type { EmulatedCluster } from '../cluster';
import { loadLibrary } from '../core/load-library';
import { openRefusal, settled } from '../core/errors';
import { isJsonObject, type JsonObject, parseJson } from '../core/primitives/json';
import { type HttpAnswer, errorAnswer, jsonAnswer, refusal } from '../core/request/answer';
import type { CompleteHttpRequest } from './call-reader';

const SHAMIR_FIELDS = ['secret_shares', 'secret_threshold', 'pgp_keys'] as const;
const RECOVERY_FIELDS = ['recovery_shares', 'recovery_threshold', 'recovery_pgp_keys'] as const;
const MOST_SHARES = 255;

export function initStatus(cluster: EmulatedCluster): HttpAnswer {
  return jsonAnswer(200, { initialized: cluster.initialized });
}

/** Answers a request that initializes a cluster. */
export function initialize(
  cluster: EmulatedCluster,
  _request: CompleteHttpRequest,
  body: string,
): HttpAnswer | Promise<HttpAnswer> {
  if (cluster.initialized) return errorAnswer(400, 'Vault is already initialized');
  const input = readBody(body);
  if (input === undefined)
    return refusal(settled(openRefusal('jsonErrorText', 'the body is not a JSON object'), cluster.server));
  const isAuto = cluster.sealKind === 'auto';
  const foreign = (isAuto ? SHAMIR_FIELDS : RECOVERY_FIELDS).filter((field) => isGiven(input[field]));
  if (foreign.length > 0) {
    const type = sealType(cluster);
    return errorAnswer(400, `parameters ${foreign.join(',')} not applicable to seal type ${type}`);
  }
  const [sharesField, thresholdField, keysField] = isAuto ? RECOVERY_FIELDS : SHAMIR_FIELDS;
  const shares = Number(input[sharesField] ?? 0);
  const threshold = Number(input[thresholdField] ?? 0);
  const keys = Array.isArray(input[keysField]) ? input[keysField].map(String) : [];
  const fault = faultOf(shares, threshold, keys);
  if (fault !== undefined) {
    return errorAnswer(400, `invalid ${isAuto ? 'recovery' : 'seal'} configuration: ${fault}`);
  }
  const rootKey = typeof input.root_token_pgp_key === 'string' ? input.root_token_pgp_key : '';
  if (keys.length === 0 && rootKey === '') return initialized(cluster, shares, threshold);
  return initializedFor(cluster, { shares, threshold, keys, rootKey });
}

/** Returns the type of a seal, as the server names it. */
export function sealType({ sealKind }: EmulatedCluster): string {
  return sealKind === 'auto' ? 'awskms' : 'shamir';
}

function isGiven(value: JsonObject[string] | undefined): boolean {
  return value !== undefined && value !== 0 && !(Array.isArray(value) && value.length === 0);
}

function faultOf(shares: number, threshold: number, keys: readonly string[]): string | undefined {
  if (!(shares >= 1)) return 'shares must be at least one';
  if (!(threshold >= 1)) return 'threshold must be at least one';
  if (shares > 1 && threshold === 1) return 'threshold must be greater than one for multiple shares';
  if (shares > MOST_SHARES) return 'shares must be less than 256';
  if (threshold > shares) return 'threshold cannot be larger than shares';
  if (keys.length > 0 && keys.length !== shares)
    return 'count mismatch between number of provided PGP keys and number of shares';
  return undefined;
}

function initialized(cluster: EmulatedCluster, shares: number, threshold: number): HttpAnswer {
  const made = cluster.initialize(shares, threshold);
  return answer(cluster, made.shares, made.rootToken);
}

interface Recipients {
  readonly shares: number;
  readonly threshold: number;
  /** PGP keys in base64: none, or one for each share. */
  readonly keys: readonly string[];
  /** The PGP key of the root token; empty for none. */
  readonly rootKey: string;
}

/** Initializes a cluster, and encrypts the shares and the root token for the owners of PGP keys. */
async function initializedFor(cluster: EmulatedCluster, recipients: Recipients): Promise<HttpAnswer> {
  const { shares, threshold, keys, rootKey } = recipients;
  let pgp: typeof OpenPgp;
  try {
    pgp = loadLibrary('openpgp', 'encryption with PGP keys') as typeof OpenPgp;
  } catch (error) {
    return errorAnswer(400, (error as Error).message);
  }
  const read = (key: string) => pgp.readKey({ binaryKey: Buffer.from(key, 'base64') });
  const encrypt = async (text: string, key: OpenPgp.Key) => {
    const message = await pgp.createMessage({ text });
    const options = { message, encryptionKeys: key, format: 'binary' } as const;
    return Buffer.from((await pgp.encrypt(options)) as Uint8Array);
  };
  let owners: readonly OpenPgp.Key[];
  try {
    owners = await Promise.all([...keys, ...(rootKey === '' ? [] : [rootKey])].map(read));
  } catch (error) {
    return errorAnswer(
      400,
      `invalid seal configuration: error parsing given PGP key: ${(error as Error).message}`,
    );
  }
  // Another request may have come first.
  if (cluster.initialized) return errorAnswer(400, 'Vault is already initialized');
  const made = cluster.initialize(shares, threshold);
  // The owner of a share decrypts it to hex.
  const texts = keys.length === 0 ? [] : made.shares.map((share) => share.toString('hex'));
  const encrypted = await Promise.all(texts.map((text, index) => encrypt(text, owners[index]!)));
  const root =
    rootKey === '' ? made.rootToken : (await encrypt(made.rootToken, owners.at(-1)!)).toString('base64');
  return answer(cluster, keys.length === 0 ? made.shares : encrypted, root);
}

function answer({ sealKind }: EmulatedCluster, shares: readonly Buffer[], rootToken: string): HttpAnswer {
  const hex = shares.map((share) => share.toString('hex'));
  const base64 = shares.map((share) => share.toString('base64'));
  const returned =
    sealKind === 'auto'
      ? { keys: [], keys_base64: [], recovery_keys: hex, recovery_keys_base64: base64 }
      : { keys: hex, keys_base64: base64 };
  return jsonAnswer(200, { ...returned, root_token: rootToken });
}

function readBody(body: string): JsonObject | undefined {
  try {
    const input = parseJson(body || '{}');
    return isJsonObject(input) ? input : undefined;
  } catch {
    return undefined;
  }
}
