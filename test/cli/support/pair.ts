import { startEmulator, type Emulator, type EmulatorOptions } from '../../../src/emulator';
import { Api } from '../../emulator/support/api';

/** An emulator with two clusters, of which `eu` is a secondary of `us`. */
export interface Pair {
  readonly emulator: Emulator;
  readonly us: Api;
  readonly eu: Api;
  /** The environment of a command for both clusters, with a token for `us`. */
  readonly env: Readonly<Record<string, string>>;
}

export async function startPair(
  options: Pick<EmulatorOptions, 'rootToken' | 'auditFolder'> = {},
): Promise<Pair> {
  const emulator = await startEmulator({ ...options, clusters: { us: 0, eu: 0 }, unavailableMs: 0 });
  const us = new Api(emulator.clusters.us.address, emulator.clusters.us.rootToken);
  const eu = new Api(emulator.clusters.eu.address, emulator.clusters.eu.rootToken);

  const path = 'sys/replication/performance';
  await us.post(`${path}/primary/enable`, {});
  await us.post(`${path}/primary/paths-filter/eu`, { mode: 'deny', paths: ['us-only/'] });
  const key = await eu.post(`${path}/secondary/generate-public-key`);
  const { secondary_public_key } = (key.body as { data: { secondary_public_key: string } }).data;
  const token = await us.post(`${path}/primary/secondary-token`, { id: 'eu', secondary_public_key });
  await eu.post(`${path}/secondary/enable`, {
    token: (token.body as { data: { token: string } }).data.token,
  });
  const env = {
    VAULTADMIN_US_ADDR: us.address,
    VAULTADMIN_EU_ADDR: eu.address,
    VAULTADMIN_US_TOKEN: emulator.clusters.us.rootToken,
  };
  return { emulator, us, eu, env };
}
