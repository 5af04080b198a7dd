import type { VaultClient } from '../../../client';
import type { AuditedRequest } from '../../../model';
import { withClient } from '../sources/cluster';

export interface HolderFlags {
  /** An entity's id; with a cluster, also its name. */
  readonly entity?: string;
  /** A role's name, or its path. */
  readonly role?: string;
  /** As it is logged; with a cluster, also in clear. */
  readonly accessor?: string;
  readonly cluster?: string;
}

/** Returns a test of logged requests: whether the holder made them. */
export async function holderOf(
  { entity, role, accessor, cluster }: HolderFlags,
  env: NodeJS.ProcessEnv,
): Promise<(audited: AuditedRequest) => boolean> {
  const roleName = role?.split('/').at(-1);
  const asLogged =
    cluster === undefined || (entity === undefined && accessor === undefined)
      ? { entities: [entity], accessors: [accessor] }
      : await withClient(cluster, env, async (client) => ({
          entities: [entity, await idOfEntity(client, entity)],
          accessors: [accessor, ...(await hashesOf(client, accessor))],
        }));
  const { entities, accessors } = asLogged;
  return (audited) =>
    (entity === undefined || entities.includes(audited.entityId)) &&
    (accessor === undefined || accessors.includes(audited.accessor)) &&
    (roleName === undefined || [audited.metadata.role, audited.metadata.role_name].includes(roleName));
}

async function idOfEntity(client: VaultClient, name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const id = (await client.read(`identity/entity/name/${name}`))?.data.id;
  return typeof id === 'string' ? id : undefined;
}

/** The values that audit devices write for a text: each device writes another one. */
async function hashesOf(client: VaultClient, text: string | undefined): Promise<readonly string[]> {
  if (text === undefined) return [];
  const devices = (await client.auditDevices.list()).data.keys;
  const answers = await Promise.all(
    devices.map((device) => client.write(`sys/audit-hash/${device.replace(/\/$/, '')}`, { input: text })),
  );
  return answers.map(({ data }) => data.hash).filter((hash) => typeof hash === 'string');
}
