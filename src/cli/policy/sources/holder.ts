import { type VaultClient, VaultError } from '../../../client';
import type { AclIdentity } from '../../../model';
import type { JsonRecord } from '../../../text';
import { UserError } from '../../errors';
import { entityOf, groupOf } from './identity';

/** Whose policies are read from a cluster. At most one of them; without any, all policies. */
export interface Holder {
  readonly tokenAccessor?: string;
  /** An entity's name. */
  readonly entity?: string;
  /** A role's path, such as `auth/approle/role/app`. */
  readonly role?: string;
  /** Further policies to read beside those of the holder. */
  readonly ceiling?: readonly string[];
}

/** The policies and identity of a holder. */
interface Holding {
  /** The names of its policies. */
  readonly policies: readonly string[];
  /** Reads whom templates in these policies refer to. `undefined` if it has no entity. */
  identity(): Promise<AclIdentity | undefined>;
}

/**
 * Reads the names of a holder's policies.
 *
 * @returns `undefined` if no holder is requested.
 * @throws UserError if there is no such holder, VaultError
 */
export async function holdingOf(client: VaultClient, holder: Holder): Promise<Holding | undefined> {
  if (holder.tokenAccessor !== undefined) {
    const { data } = await client.write('auth/token/lookup-accessor', { accessor: holder.tokenAccessor });
    const { entity_id: id } = data;
    return {
      policies: [...textsOf(data.policies), ...textsOf(data.identity_policies)],
      identity: async () => {
        if (typeof id !== 'string' || id === '') return undefined;
        const entity = await readOrRefuse(client, `identity/entity/id/${id}`, 'the entity of the token');
        return identityOf(entity, await groupsOf(client, entity));
      },
    };
  }
  if (holder.role !== undefined) {
    const data = await readOrRefuse(client, holder.role, `role ${JSON.stringify(holder.role)}`);
    const names = [...textsOf(data['token_policies']), ...textsOf(data['policies'])];
    return {
      policies: data['token_no_default_policy'] === true ? names : ['default', ...names],
      identity: () => Promise.resolve(undefined),
    };
  }
  if (holder.entity === undefined) return undefined;
  const path = `identity/entity/name/${holder.entity}`;
  const entity = await readOrRefuse(client, path, `entity ${JSON.stringify(holder.entity)}`);
  const groups = await groupsOf(client, entity);
  return {
    policies: [entity, ...groups].flatMap(({ policies }) => textsOf(policies)),
    identity: () => Promise.resolve(identityOf(entity, groups)),
  };
}

function identityOf(entity: JsonRecord, groups: readonly JsonRecord[]): AclIdentity {
  return { entity: entityOf(entity), groups: groups.map(groupOf) };
}

function groupsOf(client: VaultClient, entity: JsonRecord): Promise<readonly JsonRecord[]> {
  return Promise.all(
    textsOf(entity['group_ids']).map((id) =>
      readOrRefuse(client, `identity/group/id/${id}`, `group ${JSON.stringify(id)}`),
    ),
  );
}

async function readOrRefuse(client: VaultClient, path: string, what: string): Promise<JsonRecord> {
  try {
    const found = await client.read(path);
    if (found) return found.data;
  } catch (error) {
    if (!VaultError.is(error)) throw error;
    throw new UserError(`${what} cannot be read: ${error.message}`);
  }
  throw new UserError(`${what} does not exist`);
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
