import { VaultError } from '../../../../client';
import { SWITCHOVER_POLICY } from '../../../../model';
import { DiagnosticError } from '../../../../plugin';
import { hasSteppedDown, type PrimaryFacts, type World } from '../planner';
import type { Fleet } from './fleet';
import { announcementIn, idOf, receiptIn } from './switchover-policy';

/**
 * Adds to the primaries whose writes they have of the clusters that stepped down. That is known if their data is the same;
 * if the primary noted it when it took over, and the other one has not changed since; or if both still have the announcement
 * that it takes over, which was interrupted just before the note.
 *
 * @param roots the digests of the data of the clusters, where they tell them.
 */
export async function withProofs(
  fleet: Fleet,
  world: World,
  roots: Readonly<Record<string, string | undefined>>,
): Promise<World> {
  const alone = Object.keys(world).filter((name) => isAnswering(world, name) && hasSteppedDown(world[name]!));
  const primaries = Object.keys(world).filter(
    (name) => isAnswering(world, name) && world[name]!.mode === 'primary',
  );
  if (alone.length === 0) return world;
  const proven = await Promise.all(
    primaries.map(async (name) => {
      const facts = world[name] as PrimaryFacts;
      return [name, { ...facts, hasWritesOf: await provenFor(fleet, name, alone, world, roots) }] as const;
    }),
  );
  return { ...world, ...Object.fromEntries(proven) };
}

async function provenFor(
  fleet: Fleet,
  primary: string,
  alone: readonly string[],
  world: World,
  roots: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const isSame = (name: string) => roots[name] !== undefined && roots[name] === roots[primary];
  const unequal = alone.filter((name) => !isSame(name));
  if (unequal.length === 0) return alone;
  const policy = await policyOn(fleet, primary);
  const receipts = receiptIn(policy);
  const announced = announcementIn(policy);
  const isInterrupted = announced?.id === idOf(primary, world);
  const proven = await Promise.all(
    unequal.map(async (name) => {
      const id = idOf(name, world);
      if (receipts.some((receipt) => receipt.id === id && receipt.root === roots[name])) return true;
      return isInterrupted && announcementIn(await policyOn(fleet, name))?.apply === announced?.apply;
    }),
  );
  return alone.filter((name) => isSame(name) || proven[unequal.indexOf(name)]);
}

function isAnswering(world: World, name: string): boolean {
  return world[name]?.unreachable === undefined;
}

/** Nothing where it cannot be read: then nothing is proven. */
async function policyOn(fleet: Fleet, cluster: string): Promise<string | undefined> {
  try {
    const response = await fleet
      .member(cluster)
      .call('read the note of its predecessors on', (_, client) =>
        client.policies.acl.read(SWITCHOVER_POLICY),
      );
    return response?.data.policy;
  } catch (error) {
    if (error instanceof DiagnosticError || VaultError.is(error)) return undefined;
    throw error;
  }
}
