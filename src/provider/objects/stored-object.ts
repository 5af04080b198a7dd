import { VaultError, type CallOptions, type VaultClient, type VaultResponse } from '../../client';
import type { ObjectDefinition, ObjectIdentity } from '../../model';
import type { Identification } from './identification';
import { request, type RequestContext } from './request';
import { subjectOf, type ObjectSubject } from './subject';

/** The calls of a client for one object. */
export interface ObjectCalls<Stored, Written> {
  /** Reads the object; `undefined` if it does not exist. */
  read(options: CallOptions): Promise<VaultResponse<Stored> | undefined>;
  write(fields: Written, options: CallOptions): Promise<VaultResponse>;
  delete(options: CallOptions): Promise<VaultResponse>;
}

/** The calls of a client for the objects of a kind, each by its name. */
interface CallsByName<Stored, Written> {
  read(name: string, options: CallOptions): Promise<VaultResponse<Stored> | undefined>;
  write(name: string, fields: Written, options: CallOptions): Promise<VaultResponse>;
  delete(name: string, options: CallOptions): Promise<VaultResponse>;
}

/** Returns the calls for the object with a name. */
export function callsOn<Stored, Written>(
  calls: CallsByName<Stored, Written>,
  name: string,
): ObjectCalls<Stored, Written> {
  return {
    read: (options) => calls.read(name, options),
    write: (fields, options) => calls.write(name, fields, options),
    delete: (options) => calls.delete(name, options),
  };
}

/** A kind of object that a client reads and writes. */
export interface StoredKind<Stored, Written, I extends ObjectIdentity = ObjectIdentity> {
  readonly definition: ObjectDefinition;
  readonly identification: Identification<I>;
  /** Returns the client's calls for one object. */
  calls(client: VaultClient, identity: I): ObjectCalls<Stored, Written>;
}

/** One object of a kind. */
export function storedObject<Stored, Written, I extends ObjectIdentity>(
  kind: StoredKind<Stored, Written, I>,
  identity: I,
  context: RequestContext,
): StoredObject<Stored, Written, I> {
  const subject = {
    ...subjectOf(kind.definition, identity),
    id: kind.identification.locationOf(identity).id,
  };
  return new StoredObject(identity, subject, context, (client) => kind.calls(client, identity));
}

/**
 * One object on its cluster. Every call throws a DiagnosticError that names the action that failed.
 */
export class StoredObject<Stored, Written, I extends ObjectIdentity = ObjectIdentity> {
  readonly identity: I;
  readonly subject: ObjectSubject;
  readonly #context: RequestContext;
  readonly #calls: (client: VaultClient) => ObjectCalls<Stored, Written>;

  constructor(
    identity: I,
    subject: ObjectSubject,
    context: RequestContext,
    calls: (client: VaultClient) => ObjectCalls<Stored, Written>,
  ) {
    this.identity = identity;
    this.subject = subject;
    this.#context = context;
    this.#calls = calls;
  }

  /**
   * @param verb the purpose of the read, to follow `cannot`.
   * @returns `undefined` if it does not exist.
   */
  async read(
    verb = 'read',
    options: CallOptions = { signal: this.#context.signal },
  ): Promise<Stored | undefined> {
    const response = await this.#request(verb, (calls) => calls.read(options));
    return response?.data;
  }

  async write(verb: 'create' | 'update', fields: Written): Promise<void> {
    await this.#request(verb, (calls) => calls.write(fields, { signal: this.#context.signal }));
  }

  /** Deletes the object. Succeeds if it does not exist. */
  async delete(): Promise<void> {
    await this.#request('delete', (calls) =>
      calls.delete({ signal: this.#context.signal }).catch(undefinedIfMissing),
    );
  }

  #request<R extends VaultResponse<unknown> | undefined>(
    verb: string,
    call: (calls: ObjectCalls<Stored, Written>) => Promise<R>,
  ): Promise<R> {
    return request(verb, this.subject, this.#context, (client) => call(this.#calls(client)));
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (!VaultError.is(error) || error.code !== 'not_found') throw error;
}
