import { openRefusal } from '../../core/errors';
import { renderEnvelope } from '../../core/request/envelope';
import { isPublicKey, newKeyPair } from '../activation/public-keys';
import { encryptedToken, wrappedContent } from '../activation/activation-token';
import type { CallHandlers } from './call';

/** The calls about activation tokens and their keys. */
export const TOKEN_CALLS = {
  /**
   * Issues an activation token. It is encrypted if the request has a public key, otherwise always
   * wrapped.
   */
  secondaryToken(cluster, input, request) {
    const { replication, wrapping, server } = cluster;
    const { id, ttl, secondary_public_key: publicKey } = input;
    if (publicKey !== '' && !isPublicKey(publicKey)) throw openRefusal('badPublicKey');
    const activation = replication.primary.issueToken(id, ttl);
    if (publicKey !== '') {
      replication.site.reached('token-issued');
      return { data: { token: encryptedToken(activation, publicKey) } };
    }
    const body = renderEnvelope(request.id, { data: wrappedContent(activation) }, request.mount.type, server);
    const wrapped = wrapping.wrap(
      body,
      { ttlSeconds: ttl, format: 'jwt' },
      {
        namespace: request.namespace,
        path: request.mount.path + request.path,
        displayName: request.token?.displayName ?? '',
      },
    );
    replication.primary.noteTokenAccessor(id, wrapped.accessor);
    replication.site.reached('token-issued');
    return { wrapped };
  },

  /** Disconnects a secondary, and frees its id. */
  revokeSecondary({ replication }, { id }) {
    replication.primary.revoke(id);
    replication.site.reached('secondary-revoked');
    return undefined;
  },

  /**
   * Generates a key pair. The private key is stored until a token that is encrypted with the public
   * key is used.
   */
  generatePublicKey({ replication: { site } }) {
    const { privateKey, publicKey } = newKeyPair();
    site.store.activationKey = privateKey;
    site.reached('key-generated');
    return { data: { secondary_public_key: publicKey } };
  },
} satisfies Partial<CallHandlers>;
