/** Finds an OpenTofu, in addition to the program that all tests run. */
import { spawnSync } from 'node:child_process';

/** Returns the binary to run: `OPENTOFU_BINARY`, else the `tofu` in the PATH. */
export function openTofu(): string | undefined {
  const { OPENTOFU_BINARY } = process.env;
  const candidates = [...(OPENTOFU_BINARY ? [OPENTOFU_BINARY] : []), 'tofu'];
  return candidates.find((binary) => spawnSync(binary, ['version'], { encoding: 'utf8' }).status === 0);
}

/** Prints a visible warning about the tests that are left out without OpenTofu. */
export function warnNoOpenTofu(what: string): void {
  const line = '!'.repeat(100);
  console.warn(
    `${line}\nNOT TRIED: ${what} with OpenTofu. There is no "tofu" in the PATH; OPENTOFU_BINARY names one elsewhere.\n${line}`,
  );
}

/**
 * Returns the names and binaries of the program that all tests run, and of OpenTofu. Warns if this
 * machine has no OpenTofu.
 */
export function bothEngines(what: string): readonly (readonly [name: string, binary: string | undefined])[] {
  const tofu = openTofu();
  if (tofu === undefined) warnNoOpenTofu(what);
  return [
    ['the terraform of all tests', undefined],
    ...(tofu === undefined ? [] : [['OpenTofu', tofu] as const]),
  ];
}
