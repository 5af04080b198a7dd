import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Served } from '../plugin/served';

/** The first calls of each Terraform command. Their responses depend on the version of the provider only. */
const PATHS = ['/tfplugin6.Provider/GetProviderSchema', '/tfplugin6.Provider/GetResourceIdentitySchemas'];

/**
 * Reads the response that the build encoded, from the folder of the executable. A process that receives no other calls does not
 * load the provider.
 */
export function knownAnswer(folder: string, path: string): Uint8Array | undefined {
  if (!PATHS.includes(path)) return undefined;
  try {
    return readFileSync(fileOf(folder, path));
  } catch {
    // The file is missing: the provider encodes the response.
    return undefined;
  }
}

/** Writes the files that {@link knownAnswer} reads. */
export async function writeKnownAnswers(folder: string, { unary }: Served): Promise<void> {
  for (const path of PATHS) writeFileSync(fileOf(folder, path), await unary.get(path)!(new Uint8Array(0)));
}

const fileOf = (folder: string, path: string) => join(folder, `${basename(path)}.bin`);
