/** Runs the acceptance tests of the provider hashicorp/vault, each with its own emulator. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const TIMEOUT_MS = 900_000;

/** The areas of tests, with patterns of the tests' names. The first pattern that matches counts. */
const AREAS = [
  ['identity', /identity|oidc/i],
  ['policies', /policy|policies|sentinel|egp|rgp/i],
  ['namespaces', /namespace/i],
  ['managed keys', /managedkey/i],
  ['raft', /raft/i],
  ['audit', /audit/i],
  ['quotas', /quota/i],
  ['tokens', /token/i],
  ['AppRole', /approle/i],
  ['userpass', /userpass/i],
  ['JWT', /jwt/i],
  ['key/value', /kv|generic|genericsecret|cubbyhole/i],
  ['mounts and auth methods', /mount|authbackend$|authbackend_|authbackends|plugin|auth_backend/i],
  ['PKI and SSH', /pki|ssh/i],
  ['transit and transform', /transit|transform|keymgmt|kmip|gcpkms/i],
  ['MFA', /mfa/i],
  ['databases', /database|mongodb/i],
  [
    'clouds',
    /aws|azure|gcp|alicloud|oci|kubernetes|nomad|consul|rabbitmq|ldap|ad(secret|access)|okta|github|terraform|radius|cert|kerberos|saml|spiffe|cf/i,
  ],
];

export async function runUpstream({ only, jobs }) {
  const binary = process.env.UPSTREAM_TESTS;
  if (!binary)
    return 'UPSTREAM_TESTS names the compiled tests of its package vault, in the folder of that package.';
  const names = (await output(binary, ['-test.list', '.*']))
    .split('\n')
    .filter((name) => /^Test/.test(name) && only.test(name));
  const results = [];
  const waiting = [...names];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const result = await runOne(binary, name);
      results.push({ name, area: areaOf(name), ...result });
      process.stderr.write(`${results.length}/${names.length} ${name}: ${result.outcome}\n`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results.filter(({ outcome }) => outcome !== 'no server').sort((a, b) => (a.name < b.name ? -1 : 1));
}

function areaOf(name) {
  return AREAS.find(([, names]) => names.test(name))?.[0] ?? 'other';
}

async function runOne(binary, name) {
  const { startEmulator } = createRequire(import.meta.url)('../../lib/src/emulator/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'upstream-'));
  const emulator = await startEmulator({
    rootToken: 'root',
    storedMounts: true,
    auditFolder: folder,
    onWarning: () => undefined,
  });
  try {
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      TF_ACC: '1',
      TF_ACC_ENTERPRISE: '1',
      VAULT_ADDR: emulator.clusters.default.address,
      VAULT_TOKEN: 'root',
      CHECKPOINT_DISABLE: '1',
    };
    const text = await output(binary, ['-test.v', '-test.run', `^${name}$`], { cwd: dirname(binary), env });
    const asked = emulator.requests.list().length > 0;
    if (text.includes(`--- SKIP: ${name} `)) return { outcome: 'skipped' };
    if (text.includes(`--- PASS: ${name} `)) return { outcome: asked ? 'passed' : 'no server' };
    return { outcome: 'failed', why: reason(text) };
  } finally {
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function reason(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const panic = lines.find((line) => line.startsWith('panic:'));
  const errors = lines.filter((line) => /error|\* /i.test(line)).slice(0, 6);
  return (panic ?? (errors.length > 0 ? errors : lines.slice(-6)).join('\n  ')).slice(0, 900);
}

/** Returns the output of a program, whether it succeeds or fails. */
function output(file, args, options = {}) {
  return new Promise((resolve) =>
    execFile(
      file,
      args,
      { ...options, timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: 2 ** 28 },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    ),
  );
}
