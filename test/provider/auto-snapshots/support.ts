/** Configurations of automated snapshots, in Terraform's language and on servers. */
import { VaultClient, type AutoSnapshot } from '../../../src/client';
import type { Dialect } from '../../../src/model';
import { providerBlock, startStack, type Stack, type StackOptions } from '../support';

export const CONFIG = 'sys/storage/raft/snapshot-auto/config';
export const STATUS = 'sys/storage/raft/snapshot-auto/status';

/** Returns an expression, such as `var.key`, which is written without quotes. */
export function expression(text: string): Expression {
  return new Expression(text);
}
class Expression {
  constructor(readonly text: string) {}
}

type Attributes = Readonly<Record<string, unknown>>;

/** The arguments of the resource and of its storage blocks, without the name. */
export type Snapshot = Attributes & { readonly blocks?: Readonly<Record<string, Attributes>> };

/** Writes a resource `vaultadmin_auto_snapshot` whose label is the name of the configuration. */
export function snapshot(name: string, { blocks = {}, ...attributes }: Snapshot): string {
  const blocksText = Object.entries(blocks).map(([block, fields]) => `  ${block} {\n${lines(fields)}\n  }`);
  const all = { name, interval: '24h', path_prefix: '/snapshots/', ...attributes };
  return `resource "vaultadmin_auto_snapshot" "${name}" {\n${lines(all)}\n${blocksText.join('\n')}\n}\n`;
}

export function address(name: string): string {
  return `vaultadmin_auto_snapshot.${name}`;
}

function lines(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => `  ${name} = ${value instanceof Expression ? value.text : JSON.stringify(value)}`)
    .join('\n');
}

export interface SnapshotStackOptions extends StackOptions {
  /** Further arguments of the cluster in the provider's block: `, max_retries = 0`. */
  readonly settings?: string;
}

/** Starts one cluster. The provider uses its dialect. */
export function startSnapshotStack({ settings = '', ...options }: SnapshotStackOptions = {}): Promise<Stack> {
  const { dialect = 'vault' } = options;
  return startStack({
    provider: ({ clusters }) =>
      providerBlock(
        `us = { address = "${clusters.us!.address}", token = "${clusters.us!.rootToken}", dialect = "${dialect}"${settings} }`,
      ),
    ...options,
  });
}

/** Reads a configuration from the server, with the product's names. */
export async function onServer(
  { emulator }: Stack,
  name: string,
  dialect: Dialect = 'vault',
): Promise<AutoSnapshot | undefined> {
  const { address, rootToken: token } = emulator.clusters.us!;
  const client = new VaultClient({ address, token, dialect });
  try {
    return (await client.autoSnapshots.read(name))?.data;
  } finally {
    await client.close();
  }
}
