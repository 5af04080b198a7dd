import { type VaultClient, VaultError } from '../../../client';
import type { AclIdentity } from '../../../model';
import type { JsonRecord } from '../../../text';
import { UserError } from '../../errors';
import { entityOf, groupOf } from './identity';
import {
  externalPolicies,
  groupsInOtherNamespaces,
  textsOf,
  type NamesInNamespace,
} from './other-namespaces';

/**
 * The holder whose policies are read from a cluster: at most one of the three. Without a holder,
 * all policies are read.
 */
export interface Holder {
  readonly tokenAccessor?: string;
  /** The name of an entity. */
  readonly entity?: string;
  /** The path of a role, such as `auth/approle/role/app`. */
  readonly role?: string;
  /** The names of further policies to read. */
  readonly ceiling?: readonly string[];
}

/** The policies and identity of a holder. */
interface Holding {
  /** The names of the policies by namespace, the holder's own namespace first. */
  readonly policies: readonly [NamesInNamespace, ...NamesInNamespace[]];
  /** Reads the identity for templates in the policies. `undefined` if the holder has no entity. */
  identity(): Promise<AclIdentity | undefined>;
}

/**
 * Reads the names of a holder's policies.
 *
 * @returns `undefined` if no holder is requested.
 * @throws UserError if there is no such holder, VaultError
 */
export async function holdingOf(client: VaultClient, holder: Holder): Promise<Holding | undefined> {
  const here = (names: readonly string[]) => ({ namespace: client.namespace, names });
  if (holder.tokenAccessor !== undefined) {
    const { data } = await client.write('auth/token/lookup-accessor', { accessor: holder.tokenAccessor });
    const { entity_id: id, namespace_path: path, external_namespace_policies: external } = data;
    const own = typeof path === 'string' ? client.withNamespace(path) : client;
    const names = [...textsOf(data.policies), ...textsOf(data.identity_policies)];
    return {
      policies: [{ namespace: own.namespace, names }, ...(await externalPolicies(own, external))],
      identity: async () => {
        if (typeof id !== 'string' || id === '') return undefined;
        const entity = await readOrRefuse(own, `identity/entity/id/${id}`, 'the entity of the token');
        return identityOf(entity, (await groupsOf(own, entity)).groups);
      },
    };
  }
  if (holder.role !== undefined) {
    const data = await readOrRefuse(client, holder.role, `role ${JSON.stringify(holder.role)}`);
    const names = [...textsOf(data['token_policies']), ...textsOf(data['policies'])];
    return {
      policies: [here(data['token_no_default_policy'] === true ? names : ['default', ...names])],
      identity: () => Promise.resolve(undefined),
    };
  }
  if (holder.entity === undefined) return undefined;
  const path = `identity/entity/name/${holder.entity}`;
  const entity = await readOrRefuse(client, path, `entity ${JSON.stringify(holder.entity)}`);
  const { groups, others } = await groupsOf(client, entity);
  const names = [entity, ...groups].flatMap(({ policies }) => textsOf(policies));
  return {
    policies: [here(names), ...(await groupsInOtherNamespaces(client, others))],
    identity: () => Promise.resolve(identityOf(entity, groups)),
  };
}

function identityOf(entity: JsonRecord, groups: readonly JsonRecord[]): AclIdentity {
  return { entity: entityOf(entity), groups: groups.map(groupOf) };
}

/**
 * Reads those groups of an entity that are in this namespace, and returns the ids of the others.
 */
async function groupsOf(
  client: VaultClient,
  entity: JsonRecord,
): Promise<{ readonly groups: readonly JsonRecord[]; readonly others: readonly string[] }> {
  const all = await Promise.all(
    textsOf(entity['group_ids']).map(async (id) => {
      try {
        return (await client.read(`identity/group/id/${id}`))?.data ?? id;
      } catch (error) {
        if (VaultError.is(error) && !isDenied(error)) return id;
        throw VaultError.is(error) ? unreadable(`group ${JSON.stringify(id)}`, error) : error;
      }
    }),
  );
  return {
    groups: all.filter((each) => typeof each !== 'string'),
    others: all.filter((each) => typeof each === 'string'),
  };
}

/**
 * Whether the token is not permitted to make a request. For a group of another namespace, the
 * server also answers 403, with another text.
 */
function isDenied({ errors = [] }: VaultError): boolean {
  return errors.some((text) => text.includes('permission denied'));
}

async function readOrRefuse(client: VaultClient, path: string, what: string): Promise<JsonRecord> {
  try {
    const found = await client.read(path);
    if (found) return found.data;
  } catch (error) {
    throw VaultError.is(error) ? unreadable(what, error) : error;
  }
  throw new UserError(`${what} does not exist`);
}

function unreadable(what: string, { message }: VaultError): UserError {
  return new UserError(`${what} cannot be read: ${message}`);
}
