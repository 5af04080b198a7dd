import { VaultError, type CallOptions, type VaultClient, type VaultResponse } from '../../client';
import { formatImportId, objectTitle, type ObjectDefinition, type ObjectIdentity } from '../../model';
import { request, type RequestContext, type Subject } from './request';

/** What a client can do with one object. */
export interface ObjectCalls<Stored, Written> {
  /** Nothing, where there is no such object. */
  read(options: CallOptions): Promise<VaultResponse<Stored> | undefined>;
  write(fields: Written, options: CallOptions): Promise<VaultResponse>;
  delete(options: CallOptions): Promise<VaultResponse>;
}

/** What a client can do with the objects of a kind, each by its name. */
export interface CallsByName<Stored, Written> {
  read(name: string, options: CallOptions): Promise<VaultResponse<Stored> | undefined>;
  write(name: string, fields: Written, options: CallOptions): Promise<VaultResponse>;
  delete(name: string, options: CallOptions): Promise<VaultResponse>;
}

/** The calls on the object of that name. */
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

/** One object, as requests and messages speak of it. */
export interface ObjectSubject extends Subject {
  /** Its import id in the full form. */
  readonly id: string;
}

export function subjectOf(definition: ObjectDefinition, identity: ObjectIdentity): ObjectSubject {
  const title = objectTitle(definition, identity.name);
  return { definition, location: identity, title, id: formatImportId(identity) };
}

/** One object on its cluster. Every call throws a DiagnosticError that says what could not be done. */
export class StoredObject<Stored, Written> {
  constructor(
    readonly subject: ObjectSubject,
    private readonly context: RequestContext,
    private readonly calls: (client: VaultClient) => ObjectCalls<Stored, Written>,
  ) {}

  /**
   * @param verb what it is read for, to follow `cannot`.
   * @returns nothing where there is no such object.
   */
  async read(
    verb = 'read',
    options: CallOptions = { signal: this.context.signal },
  ): Promise<Stored | undefined> {
    const response = await this.#request(verb, (calls) => calls.read(options));
    return response?.data;
  }

  async write(verb: 'create' | 'update', fields: Written): Promise<void> {
    await this.#request(verb, (calls) => calls.write(fields, { signal: this.context.signal }));
  }

  /** It is no error where there is none. */
  async delete(): Promise<void> {
    await this.#request('delete', (calls) =>
      calls.delete({ signal: this.context.signal }).catch(undefinedIfMissing),
    );
  }

  #request<R extends VaultResponse<unknown> | undefined>(
    verb: string,
    call: (calls: ObjectCalls<Stored, Written>) => Promise<R>,
  ): Promise<R> {
    return request(verb, this.subject, this.context, (client) => call(this.calls(client)));
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (!VaultError.is(error) || error.code !== 'not_found') throw error;
}
