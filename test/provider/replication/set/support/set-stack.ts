/** A replication set under the real terraform, on clusters with an operator that is replicated. */
import type { ReplicationStatus } from '../../../../../src/client';
import { block, type Report, type Stack, type StackOptions } from '../../../support';
import { asOperator, startClusters, statusOf } from '../../support';
import { withEverything } from './with-everything';

const TYPE = 'vaultadmin_perf_replication_set';

export async function startThree(options: StackOptions = {}): Promise<Stack> {
  return startClusters({ clusters: { us: 0, eu: 0, ap: 0 }, ...options });
}

/** Writes the resource from its attributes. Secondaries without a filter receive everything. */
export function configure(stack: Stack, attributes: object): void {
  stack.resources(block('resource', TYPE, withEverything(attributes)));
}

/** Returns the steps that a plan shows; undefined if it has no change. */
export async function plannedSteps(stack: Stack): Promise<readonly string[] | undefined> {
  const { resource_changes: changes = [] } = await stack.workspace.plan();
  const change = changes.find(({ type }) => type === TYPE)?.change;
  return change?.actions.join() === 'no-op' ? undefined : (change?.after?.steps as readonly string[]);
}

/** Writes a configuration, and applies it. */
export async function apply(stack: Stack, attributes: object): Promise<Report> {
  configure(stack, attributes);
  const report = await stack.run('apply');
  expect(report.errors).toEqual([]);
  return report;
}

/** Writes a configuration, and expects that it is refused. */
export async function refused(stack: Stack, attributes: object, command = 'plan') {
  configure(stack, attributes);
  const { errors } = await stack.run(command);
  return errors;
}

/** Returns the status of each cluster in short: `secondary "eu", stream-wals, ready`. */
export async function modes(stack: Stack): Promise<Readonly<Record<string, string>>> {
  const names = Object.keys(stack.emulator.clusters);
  const entries = await Promise.all(
    names.map(async (name) => [name, describe(await statusOf(stack, name))] as const),
  );
  return Object.fromEntries(entries);
}

function describe(status: ReplicationStatus): string {
  if (status.mode !== 'secondary') return status.mode;
  return `secondary ${JSON.stringify(status.secondary_id)}, ${status.state}, ${status.connection_state}`;
}

/** Mounts a key-value store and writes to it, on the primary. */
export async function writeData(stack: Stack, cluster: string, mount: string): Promise<void> {
  await asOperator(stack, cluster, async (client) => {
    await client.write(`sys/mounts/${mount}`, { type: 'kv' });
    await client.write(`${mount}/it`, { value: mount });
  });
}

export async function hasData(stack: Stack, cluster: string, mount: string): Promise<boolean> {
  return asOperator(stack, cluster, async (client) => {
    const found = await client.read(`${mount}/it`).catch(() => undefined);
    return found?.data.value === mount;
  });
}
