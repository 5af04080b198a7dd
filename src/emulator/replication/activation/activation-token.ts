import { type JsonObject, isJsonObject, parseJson, stringifyJson } from '../../core/primitives/json';
import {
  type ClientKey,
  type ClientKeyInToken,
  clientKeyFromToken,
  clientKeyInToken,
  isClientKey,
} from './client-keys';
import { seal, unseal } from './public-keys';

/** The content of an activation token for a secondary. */
export interface Activation {
  readonly secondaryId: string;
  readonly clusterId: string;
  readonly primaryClusterAddr: string;
  readonly clientKey: ClientKey;
  /** The time of expiry, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The number that stands for the mode "performance secondary" in activation tokens. */
const PERFORMANCE_SECONDARY = 64;

interface Content extends JsonObject {
  readonly id: string;
  readonly cluster_id: string;
  readonly primary_cluster_addr: string;
  readonly client_key: ClientKeyInToken | null;
  readonly encrypted_client_key: string | null;
  readonly nonce: string | null;
  readonly primary_public_key: string | null;
  /** The time of expiry, in seconds since 1970. */
  readonly expires: number;
}

/**
 * Returns the content of an activation token whose response is wrapped. The content has the client
 * key in plain text.
 */
export function wrappedContent(activation: Activation): JsonObject {
  return {
    ...commonContent(activation),
    client_key: clientKeyInToken(activation.clientKey),
    encrypted_client_key: null,
    nonce: null,
    primary_public_key: null,
  };
}

/** Returns an activation token that only the holder of the private key can use. */
export function encryptedToken(activation: Activation, publicKey: string): string {
  const sealed = seal(stringifyJson(clientKeyInToken(activation.clientKey)), publicKey);
  const content = {
    ...commonContent(activation),
    client_key: null,
    encrypted_client_key: sealed.ciphertext,
    nonce: sealed.nonce,
    primary_public_key: sealed.publicKey,
  };
  return Buffer.from(stringifyJson(content)).toString('base64');
}

/** @returns the content; `undefined` if the JSON is not that of an activation token. */
export function readWrappedContent(content: unknown): Activation | undefined {
  return isContent(content) && content.client_key !== null
    ? activation(content, content.client_key)
    : undefined;
}

/**
 * @param privateKey the private key of the cluster's latest public key; `undefined` if the cluster
 *   has none.
 * @returns the content; `undefined` if the text is not an activation token, or is for another key.
 */
export function readEncryptedToken(token: string, privateKey: string | undefined): Activation | undefined {
  const content = parsed(Buffer.from(token, 'base64').toString());
  if (!isContent(content) || privateKey === undefined) return undefined;
  const { encrypted_client_key: ciphertext, nonce, primary_public_key: publicKey } = content;
  if (ciphertext === null || nonce === null || publicKey === null) return undefined;
  try {
    const key = parsed(unseal({ ciphertext, nonce, publicKey }, privateKey));
    return isClientKey(key) ? activation(content, key) : undefined;
  } catch {
    // The token is for another key, so the caller gets the same result as for any other text.
    return undefined;
  }
}

function commonContent({ secondaryId, clusterId, primaryClusterAddr, expiresAt }: Activation) {
  return {
    id: secondaryId,
    mode: PERFORMANCE_SECONDARY,
    cluster_id: clusterId,
    primary_cluster_addr: primaryClusterAddr,
    expires: Math.ceil(expiresAt / 1000),
  };
}

function activation(content: Content, clientKey: ClientKeyInToken): Activation {
  return {
    secondaryId: content.id,
    clusterId: content.cluster_id,
    primaryClusterAddr: content.primary_cluster_addr,
    clientKey: clientKeyFromToken(clientKey),
    expiresAt: content.expires * 1000,
  };
}

function isContent(content: unknown): content is Content {
  return (
    isJsonObject(content) &&
    ['id', 'cluster_id', 'primary_cluster_addr'].every((name) => isShortText(content[name])) &&
    ['encrypted_client_key', 'nonce', 'primary_public_key'].every(
      (name) => content[name] === null || isShortText(content[name]),
    ) &&
    (content.client_key === null || isClientKey(content.client_key)) &&
    Number.isSafeInteger(content.expires)
  );
}

/** The maximum length of ids, addresses and keys in characters. */
const LONGEST_TEXT = 8_192;

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= LONGEST_TEXT;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
