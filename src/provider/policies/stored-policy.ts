import { VaultError, type CallOptions } from '../../client';
import { objectTitle, type ObjectIdentity } from '../../model';
import { request, type RequestContext } from '../objects';
import { fieldsOf, type PolicyFields, type PolicyKind } from './kind';

/** One policy on its cluster. Every call throws a DiagnosticError that says what could not be done. */
export class StoredPolicy {
  /** How messages call it. */
  readonly title: string;

  constructor(
    private readonly kind: PolicyKind,
    readonly identity: ObjectIdentity,
    private readonly context: RequestContext,
  ) {
    this.title = objectTitle(kind.definition, identity.name);
  }

  /** @returns nothing where there is no such policy. */
  async read(
    verb = 'read',
    options: CallOptions = { signal: this.context.signal },
  ): Promise<PolicyFields | undefined> {
    const response = await request(verb, this.#subject, this.context, (client) =>
      this.kind.calls(client).read(this.identity.name, options),
    );
    return response && fieldsOf(this.kind, response.data);
  }

  async write(verb: 'create' | 'update', fields: PolicyFields): Promise<void> {
    await request(verb, this.#subject, this.context, (client) =>
      this.kind.calls(client).write(this.identity.name, fields, { signal: this.context.signal }),
    );
  }

  /** It is no error where there is none. */
  async delete(): Promise<void> {
    await request('delete', this.#subject, this.context, (client) =>
      this.kind
        .calls(client)
        .delete(this.identity.name, { signal: this.context.signal })
        .catch(undefinedIfMissing),
    );
  }

  get #subject() {
    return { definition: this.kind.definition, location: this.identity, title: this.title };
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (!VaultError.is(error) || error.code !== 'not_found') throw error;
}
