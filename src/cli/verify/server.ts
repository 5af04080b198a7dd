import type { ServerVersion } from './probes/probe';
import { NoAnswer, type Wire } from './wire';

/** The facts about a server in `sys/health`. */
interface ServerFacts {
  readonly version: ServerVersion;
  /** Names that a report must not show. */
  readonly names: readonly string[];
}

/** @throws NoAnswer if it does not answer as a server does, or is sealed. */
export async function factsOf(server: Wire): Promise<ServerFacts> {
  const { body } = await server.root().get('sys/health');
  const { version, sealed, cluster_name: name, cluster_id: id } = body;
  if (typeof version !== 'string') throw new NoAnswer('there is no Vault at this address');
  if (sealed === true) throw new NoAnswer('the server is sealed: unseal it first');
  const { hostname } = new URL(server.address);
  const names = [hostname, name, id, server.namespace];
  return {
    version: readVersion(version),
    names: names.filter((each): each is string => typeof each === 'string' && each !== ''),
  };
}

/** Drops what builders add to the version, which may be a name. */
function readVersion(version: string): ServerVersion {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  const [edition = ''] = /\+ent(\.hsm)?(\.fips\d+(\.\d+)?)?/.exec(version) ?? [];
  const number = [Number(major ?? 0), Number(minor ?? 0), Number(patch ?? 0)] as const;
  return { text: `${number.join('.')}${edition}`, number };
}
