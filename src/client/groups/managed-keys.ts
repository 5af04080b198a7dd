import {
  decodeManagedKey,
  describeFinding,
  encodeManagedKey,
  fromProduct,
  MANAGED_KEY_TYPES,
  MANAGED_KEY,
  MANAGED_KEY_BACKENDS,
  notRedactedRules,
  toProduct,
  UNSUPPORTED_MANAGED_KEY_TYPE,
  type FieldValues,
  type HashAlgorithm,
  type ManagedKeyTypeName,
  type ManagedKeyValues,
  type Translation,
} from '../../model';
import type { KeyList, VaultResponse } from '../answer/responses';
import { type CallOptions, callToDelete, callToRead, callToWrite } from '../call-options';
import type { Caller } from '../call/caller';
import { secretsAmong } from '../errors/redact';
import { VaultError } from '../vault-error';
import { checkedName, listKeys } from './names';

/** A managed key as the server returns it. */
export interface ManagedKey<T extends ManagedKeyTypeName = ManagedKeyTypeName> {
  readonly name: string;
  readonly type: T;
  /**
   * The UUID, which does not change with updates. A key that was deleted and created again has
   * another one.
   */
  readonly uuid?: string;
  /** The fields that are set, never secrets. Numbers beyond 2^53, such as slots, are texts. */
  readonly fields: ManagedKeyValues[T];
  /**
   * The fields that the server does not return: secrets, and fields that it withholds or does not
   * support.
   */
  readonly hidden: readonly string[];
  /** The secrets that are set on the server, which returns a placeholder for each. */
  readonly heldSecrets: readonly string[];
}

/** The names of the managed keys of every type. */
export type ManagedKeyNames = Readonly<Record<ManagedKeyTypeName, readonly string[]>>;

/** The options of a test signature. */
export interface TestSignOptions {
  /** The hash algorithm. The server's default: `sha2-256`. */
  readonly hashAlgorithm?: HashAlgorithm | undefined;
  /** Whether to use RSA PSS signatures. The server's default: false. */
  readonly usePss?: boolean | undefined;
}

/** The calls on managed keys. */
export class ManagedKeyCalls {
  readonly #caller: Caller;
  readonly #fromServer: Translation;
  readonly #toServer: Translation;

  constructor(caller: Caller) {
    const { dialect } = caller.settings;
    this.#caller = caller;
    this.#fromServer = toProduct(dialect, MANAGED_KEY.name);
    this.#toServer = fromProduct(dialect, MANAGED_KEY.name);
  }

  /** Lists the names of the keys of a type. */
  list(type: ManagedKeyTypeName, options?: CallOptions): Promise<VaultResponse<KeyList>> {
    return listKeys(this.#caller, this.#typePath(type), options);
  }

  /** Lists the names of the keys of all types. A type that the server does not support has none. */
  async listAll(options?: CallOptions): Promise<VaultResponse<ManagedKeyNames>> {
    const responses = await Promise.all(
      MANAGED_KEY_TYPES.map((type) => this.list(type, options).catch(undefinedIfUnsupported)),
    );
    const names = MANAGED_KEY_TYPES.map((type, i) => [type, responses[i]?.data.keys ?? []] as const);
    return {
      status: 200,
      requestId: '',
      data: Object.fromEntries(names) as ManagedKeyNames,
      warnings: responses.flatMap((response) => response?.warnings ?? []),
    };
  }

  /** @returns `undefined` if no key of this type has this name. */
  async read<T extends ManagedKeyTypeName>(
    type: T,
    name: string,
    options?: CallOptions,
  ): Promise<VaultResponse<ManagedKey<T>> | undefined> {
    const call = callToRead(this.#path(type, name), options);
    const response = await this.#caller.find(call);
    if (!response) return undefined;
    const stored = decodeManagedKey(MANAGED_KEY_BACKENDS[type], this.#fromServer.fields(response.data));
    const { name: storedName, ...fields } = stored.fields;
    if (typeof storedName !== 'string')
      throw this.#caller.misshapen(call, `${MANAGED_KEY.title} with a name`);
    return { ...response, data: { ...stored, type, name: storedName, fields } };
  }

  /**
   * Reads a key of any type: its name is unique among all types.
   *
   * @returns `undefined` if it does not exist.
   */
  async find(name: string, options?: CallOptions): Promise<VaultResponse<ManagedKey> | undefined> {
    const found = await Promise.allSettled(
      MANAGED_KEY_TYPES.map((type) => this.read(type, name, options).catch(undefinedIfUnsupported)),
    );
    const responses = found.flatMap((result) => (result.status === 'fulfilled' ? (result.value ?? []) : []));
    // The token may be allowed to read only this key, so refusals for the other types are ignored
    // if the key was found.
    const failure = found.find((result) => result.status === 'rejected');
    if (responses[0] === undefined && failure) throw failure.reason;
    return responses[0];
  }

  /**
   * Creates or updates a key. An empty text clears a field; whether fields that are left out keep
   * their values is not documented.
   */
  async write<T extends ManagedKeyTypeName>(
    type: T,
    name: string,
    fields: ManagedKeyValues[T],
    options?: CallOptions,
  ): Promise<VaultResponse> {
    const secrets = secretsAmong(MANAGED_KEY_BACKENDS[type].definition.fields, fields);
    refuseRedacted(type, name, fields);
    const body = this.#toServer.fields(encodeManagedKey(MANAGED_KEY_BACKENDS[type], fields));
    const call = callToWrite(this.#path(type, name), body, options, { secrets, repeatable: true });
    return this.#caller.send(call);
  }

  /** Deletes the reference, not the key in the backend. Succeeds if it does not exist. */
  async delete(type: ManagedKeyTypeName, name: string, options?: CallOptions): Promise<VaultResponse> {
    return this.#caller.send(callToDelete(this.#path(type, name), options));
  }

  /**
   * Makes the server sign random data and verify the signature. This generates the key if it is
   * missing and may be generated.
   *
   * @throws VaultError with the server's reason, if the configuration of the key is not valid.
   */
  async testSign(
    type: ManagedKeyTypeName,
    name: string,
    { hashAlgorithm, usePss }: TestSignOptions = {},
    options?: CallOptions,
  ): Promise<VaultResponse> {
    const path = `${this.#path(type, name)}/test/sign`;
    const body = { hash_algorithm: hashAlgorithm, use_pss: usePss };
    return this.#caller.send(callToWrite(path, body, options, { publicBody: true, repeatable: true }));
  }

  #typePath(type: ManagedKeyTypeName): string {
    return `${MANAGED_KEY.path}/${this.#toServer.type(type)}`;
  }

  #path(type: ManagedKeyTypeName, name: string): string {
    return `${this.#typePath(type)}/${checkedName(name, `a ${MANAGED_KEY.title}`)}`;
  }
}

/** Refuses the server's placeholder for a secret, which the server would store as the secret. */
function refuseRedacted(type: ManagedKeyTypeName, name: string, values: FieldValues): void {
  const { definition } = MANAGED_KEY_BACKENDS[type];
  const [finding] = notRedactedRules(definition.fields).flatMap((rule) => rule.check(values));
  if (finding === undefined) return;
  throw new VaultError({ code: 'invalid_request', message: describeFinding(definition, name, finding).line });
}

function undefinedIfUnsupported(error: unknown): undefined {
  const unsupported =
    VaultError.is(error) && error.errors.some((text) => text.includes(UNSUPPORTED_MANAGED_KEY_TYPE));
  if (!unsupported) throw error;
}
