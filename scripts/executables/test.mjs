/**
 * Tests the provider as an executable for this machine:
 *
 *   npm run test:executable             the files of `SELECTION`: takes 4 minutes
 *   npm run test:executable -- --all    all tests of the provider
 *
 * If the package registries lack the runtime, the script prints a line about it and succeeds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmRun, runJest } from '../npm-run.mjs';
import { buildExecutables } from './build.mjs';
import { ownPlatform } from './platforms.mjs';
import { PROGRAMS } from './programs.mjs';

/**
 * At least one file for each kind of object, one with logins, and one with all steps of the
 * handshake with Terraform.
 */
const SELECTION = [
  'conformance',
  'functions',
  'audit-devices/life',
  'auto-snapshots/lifecycle',
  'clusters/login.test',
  'managed-keys/lifecycle',
  'policies/lifecycle',
  'replication/one-stack',
  'replication/two-stacks',
  'replication/set/addresses',
];

const { all } = npmRun('test:executable', 'Tests the provider as an executable for this machine.')
  .option('--all', 'all tests of the provider (default: a selection of 4 minutes)')
  .parse()
  .opts();
if (await canBeBuilt()) {
  const files = all ? ['test/provider'] : SELECTION.map((each) => `test/provider/${each}`);
  runJest(files, { TEST_PROVIDER: 'executable' });
}

/** @throws Error if it cannot be built for another reason than the package registries. */
async function canBeBuilt() {
  const folder = mkdtempSync(join(tmpdir(), 'executable-'));
  try {
    await buildExecutables([folder], [ownPlatform()], [PROGRAMS.provider]);
    return true;
  } catch (error) {
    if (!error.message.includes('the package registry does not have')) throw error;
    const line = '!'.repeat(100);
    console.error(`${line}\nNOT TRIED: the provider as an executable, because ${error.message}.\n${line}`);
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
