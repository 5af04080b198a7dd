import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { FOUND_TERRAFORM, platform, terraformBinary } from './terraform';

/** The version of `hashicorp/vault` for all tests and measurements. */
const VERSION = '5.11.0';
const DOWNLOAD_TIMEOUT = 180_000;
/**
 * The folder of the download. It is below `node_modules`, so it is kept until the dependencies are
 * installed again.
 */
const DOWNLOADED = join('node_modules', '.cache', 'upstream-provider-mirror');

/**
 * Returns the folder of a mirror from which terraform can install `hashicorp/vault` or another
 * provider of HashiCorp, if there is one.
 */
export function upstreamMirror(provider = 'vault'): string | undefined {
  return candidates().find((mirror) => existsSync(providerIn(mirror, provider)));
}

/** Returns the file of `hashicorp/vault` in an unpacked mirror, if there is one. */
export function upstreamExecutable(): string | undefined {
  const mirror = upstreamMirror();
  const folder = mirror && join(providerIn(mirror, 'vault'), VERSION, platform());
  if (!folder || !existsSync(folder)) return undefined;
  const file = readdirSync(folder).find((name) => name.startsWith('terraform-provider-vault'));
  return file && join(folder, file);
}

/** Returns the warning that tests and benchmarks print if there is no mirror. */
export function upstreamMissing(provider = 'vault'): string {
  const line = '!'.repeat(100);
  return (
    `${line}\nNOT TRIED: the provider hashicorp/${provider}. No registry could be reached, and it is in none of\n` +
    `${candidates()
      .map((mirror) => providerIn(mirror, provider))
      .join('\n')}\n` +
    'Where there is a network, "terraform providers mirror DIR" makes a mirror for UPSTREAM_PROVIDER_MIRROR=DIR.\n' +
    line
  );
}

/**
 * Finds terraform, and downloads the provider if no mirror has it and a registry can be reached.
 */
export function prepareUpstream(): void {
  process.env[FOUND_TERRAFORM] = terraformBinary();
  if (upstreamMirror()) return;
  const folder = mkdtempSync(join(tmpdir(), 'upstream-mirror-'));
  try {
    const requirement = `vault = { source = "hashicorp/vault", version = "${VERSION}" }`;
    writeFileSync(
      join(folder, 'main.tf'),
      `terraform {\n  required_providers {\n    ${requirement}\n  }\n}\n`,
    );
    mkdirSync(DOWNLOADED, { recursive: true });
    spawnSync(terraformBinary(), ['providers', 'mirror', join(process.cwd(), DOWNLOADED)], {
      cwd: folder,
      timeout: DOWNLOAD_TIMEOUT,
      env: { ...process.env, CHECKPOINT_DISABLE: '1' },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function candidates(): readonly string[] {
  const chosen = process.env.UPSTREAM_PROVIDER_MIRROR;
  return [
    chosen ?? join(homedir(), '.cache', 'upstream-provider', 'mirror'),
    join(process.cwd(), DOWNLOADED),
  ];
}

function providerIn(mirror: string, provider: string): string {
  const registry = terraformBinary().includes('tofu') ? 'registry.opentofu.org' : 'registry.terraform.io';
  return join(mirror, registry, 'hashicorp', provider);
}
