import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Served } from '../plugin/served';

/** The calls whose answers depend on nothing but the version of the provider, and with which each command of Terraform begins. */
const PATHS = ['/tfplugin6.Provider/GetProviderSchema', '/tfplugin6.Provider/GetResourceIdentitySchemas'];

/**
 * The answer to a call as the build encoded it, from a file of the executable's folder: for a process that is asked for
 * nothing else, the provider need not be loaded.
 */
export function knownAnswer(folder: string, path: string): Uint8Array | undefined {
  if (!PATHS.includes(path)) return undefined;
  try {
    return readFileSync(fileOf(folder, path));
  } catch {
    // Nothing was built: the provider encodes it.
    return undefined;
  }
}

/** Writes the files that {@link knownAnswer} reads. */
export async function writeKnownAnswers(folder: string, { unary }: Served): Promise<void> {
  for (const path of PATHS) writeFileSync(fileOf(folder, path), await unary.get(path)!(new Uint8Array(0)));
}

const fileOf = (folder: string, path: string) => join(folder, `${basename(path)}.bin`);
