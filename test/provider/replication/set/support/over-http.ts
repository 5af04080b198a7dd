/** Clusters that are called over HTTP, as by other programs. */
import { Agent } from 'undici';
import { startEmulator, type EmulatorOptions } from '../../../../../src/emulator';
import type { Reachable, Wire } from './wire';

/** The connections that all tests share. */
const agent = new Agent({ keepAliveTimeout: 1_000 });
afterAll(() => agent.destroy());

const OVER_HTTP: Wire = async ({ origin, method, path, headers, body }) => {
  const answer = await agent.request({ origin, method, path, headers, body });
  return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
};

export async function startOverHttp(options: EmulatorOptions): Promise<Reachable> {
  return { emulator: await startEmulator(options), wire: OVER_HTTP };
}
