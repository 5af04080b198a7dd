import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Compiled, this file is in lib/bench/. */
const ROOT = join(__dirname, '..', '..');

export const PROVIDER_VERSION = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
).version;

/** The folder with the executable that the build made, and nothing else. */
export const PROVIDER_FOLDER = join(ROOT, 'lib', 'provider');

export const PROVIDER_EXECUTABLE = join(
  PROVIDER_FOLDER,
  `terraform-provider-vaultadmin_v${PROVIDER_VERSION}`,
);
