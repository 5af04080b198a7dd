import type { Namespace, TokenEntry, ResponseWrapInfo, WrapRequest } from '../backend';
import { type EmulatorClock, timestamp } from '../primitives/clock';
import { LogicalError } from '../errors';
import { WRAPPING_POLICY_NAME } from './policy-store';
import type { Cubbyholes } from './cubbyholes';
import { ROOT_NAMESPACE } from './namespace-store';
import type { TokenStore } from './tokens';
import type { WrappingJwt } from './wrapping-jwt';

const NANOSECONDS_PER_SECOND = 1e9;

/** The response stored under a wrapping token, and its origin. */
interface WrappedResponse {
  /** The complete body of the response; empty for a 204. */
  readonly body: string;
  readonly ttlSeconds: number;
  readonly createdAt: string;
  readonly creationPath: string;
}

/** Response wrapping: responses are stored in the cubbyhole of a token that can be used once. */
export class ResponseWrapping {
  readonly #tokens: TokenStore;
  readonly #cubbyholes: Cubbyholes;
  readonly #jwt: WrappingJwt;
  readonly #clock: EmulatorClock;

  constructor(tokens: TokenStore, cubbyholes: Cubbyholes, jwt: WrappingJwt, clock: EmulatorClock) {
    this.#tokens = tokens;
    this.#cubbyholes = cubbyholes;
    this.#jwt = jwt;
    this.#clock = clock;
  }

  wrap(
    body: string,
    request: WrapRequest,
    origin: { namespace: Namespace; path: string; displayName: string; wrappedAccessor?: string },
  ): ResponseWrapInfo {
    const { ttlSeconds } = request;
    const token = this.#tokens.create({
      // The server creates tokens in the form of JWTs in the root namespace.
      namespace: request.format === 'jwt' ? ROOT_NAMESPACE : origin.namespace,
      policies: [WRAPPING_POLICY_NAME],
      displayName: origin.displayName,
      path: origin.path,
      ttlSeconds,
      explicitMaxTtlSeconds: ttlSeconds,
      renewable: false,
      numUses: 1,
    });
    const cubbyhole = this.#cubbyholes.of(token);
    cubbyhole?.put('response', { response: body });
    cubbyhole?.put('wrapinfo', {
      creation_path: origin.path,
      creation_time: timestamp(token.createdAt),
      creation_ttl: ttlSeconds * NANOSECONDS_PER_SECOND,
    });
    return {
      token: request.format === 'jwt' ? this.#asJwt(token, origin.wrappedAccessor) : token.id,
      accessor: token.accessor,
      ttlSeconds,
      createdAt: token.createdAt,
      creationPath: origin.path,
      ...(origin.wrappedAccessor !== undefined && { wrappedAccessor: origin.wrappedAccessor }),
    };
  }

  /**
   * Returns the wrapping token of a text: the one in a JWT of this cluster, otherwise the text
   * itself.
   */
  tokenId(text: string): string {
    return text.startsWith('ey') ? (this.#jwt.tokenId(text) ?? text) : text;
  }

  /** @throws LogicalError 400 unless the text is a valid wrapping token. */
  token(text: string): TokenEntry {
    const token = this.#tokens.lookup(this.tokenId(text));
    if (token === undefined || token.policies.length !== 1 || token.policies[0] !== WRAPPING_POLICY_NAME) {
      throw new LogicalError(400, 'wrapping token is not valid or does not exist');
    }
    return token;
  }

  /** Returns the response of a wrapping token without using the token. */
  peek(token: TokenEntry): WrappedResponse {
    const cubbyhole = this.#cubbyholes.of(token);
    const response = cubbyhole?.get<{ response: string }>('response');
    const info = cubbyhole?.get<{ creation_path: string; creation_time: string; creation_ttl: number }>(
      'wrapinfo',
    );
    return {
      body: response?.response ?? '',
      ttlSeconds: (info?.creation_ttl ?? 0) / NANOSECONDS_PER_SECOND,
      createdAt: info?.creation_time ?? '',
      creationPath: info?.creation_path ?? '',
    };
  }

  /** Returns the response of a wrapping token, and deletes both. */
  open(token: TokenEntry): WrappedResponse {
    const wrapped = this.peek(token);
    this.#tokens.revoke(token);
    return wrapped;
  }

  #asJwt(token: TokenEntry, wrappedAccessor?: string): string {
    return this.#jwt.issue(
      token.id,
      Math.floor(this.#clock.now() / 1000),
      token.creationTtlSeconds,
      wrappedAccessor,
    );
  }
}
