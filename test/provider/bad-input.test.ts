import type { Emulator } from '../../src/emulator';
import { aclPolicy, block, providerBlock, startStack, type Stack, type StackOptions } from './support';

/* Mistakes that are not among those in test/mistakes. */

let stack: Stack;
afterEach(() => stack.close());

/** Returns the errors of a command that sends no write to the server. */
async function errorsOf(command: 'plan' | 'apply', hcl: string) {
  stack.resources(hcl);
  const { code, errors, warnings, requests } = await stack.run(command);
  expect(code).toBe(1);
  expect(warnings).toEqual([]);
  expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
  expect(await stack.addresses()).toEqual([]);
  return errors;
}

/** The only cluster, with the given settings in place of the usual ones. */
const us =
  (settings: (address: string, token: string) => string): StackOptions['provider'] =>
  ({ clusters }: Emulator) =>
    providerBlock(`us = { ${settings(clusters.us!.address, clusters.us!.rootToken)} }`);

describe('a plan of an object that the server would refuse is an error', () => {
  beforeEach(async () => {
    stack = await startStack();
  });

  test('an unknown capability is refused', async () => {
    const policy = 'path "a" { capabilities = ["fly"] }';
    expect(await errorsOf('plan', aclPolicy({ name: 'ops', policy }))).toEqual([
      {
        summary:
          'ACL policy "ops": policy cannot be parsed: path "a": invalid capability "fly" (line 1, column 28)',
        detail:
          'Received: "fly".\n' +
          'To do: write one of deny, create, read, update, delete, list, sudo, patch, subscribe, recover; or, if your ' +
          'server supports it, set unknown_policy_syntax of the cluster to "warn".',
        line: `policy = ${JSON.stringify(policy)}`,
      },
    ]);
  });

  test('a policy that would be created and destroyed, or replaced by itself, in one apply is refused', async () => {
    stack.resources(aclPolicy({ name: 'ops' }, 'old'));
    await stack.must('apply');
    stack.resources(aclPolicy({ name: 'ops' }, 'new'));
    const [renamed] = (await stack.run('plan')).errors;
    expect(renamed).toMatchObject({
      summary: 'ACL policy "ops" on cluster "us" would be created and destroyed by the same plan',
      detail: expect.stringContaining(
        'from = vaultadmin_acl_policy.old_name\n    to   = vaultadmin_acl_policy.new_name',
      ),
    });
    stack.workspace.write(
      'moved.tf',
      'moved {\n  from = vaultadmin_acl_policy.old\n  to   = vaultadmin_acl_policy.new\n}\n',
    );
    await stack.must('apply');
    stack.workspace.remove('moved.tf');

    stack.resources(
      aclPolicy({ name: 'ops' }, 'new').replace(
        /\}\n$/,
        '  lifecycle {\n    create_before_destroy = true\n  }\n}\n',
      ),
    );
    const replaced = await stack.run('apply', '-replace=vaultadmin_acl_policy.new');
    expect(replaced).toMatchObject({
      code: 0,
      errors: [],
      warnings: [{ summary: 'ACL policy "ops" on cluster "us" already exists, exactly as planned' }],
    });
    expect((await stack.ask('GET', 'sys/policies/acl/ops')).status).toBe(200);
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('a state that a newer version of the provider wrote is refused', async () => {
    stack.workspace.write('terraform.tfstate', {
      version: 4,
      terraform_version: '1.11.0',
      serial: 1,
      lineage: '5a7ad5cb-4e3f-4f4f-8e0a-0a4f6a1b7c11',
      outputs: {},
      resources: [
        {
          mode: 'managed',
          type: 'vaultadmin_acl_policy',
          name: 'it',
          provider: 'provider["vault-admin.internal/cdktf/vaultadmin"]',
          instances: [{ schema_version: 7, attributes: { name: 'ops', stance: 'firm' } }],
        },
      ],
    });
    stack.resources(aclPolicy({ name: 'ops' }));
    const { code, errors, requests } = await stack.run('apply');
    expect(code).toBe(1);
    expect(errors.map(({ summary }) => summary)).toEqual([
      'Resource instance managed by newer provider version',
    ]);
    expect(requests).toEqual([]);
  });
});

test('unknown names in clusters and auth_login are refused', async () => {
  stack = await startStack({
    provider: us(
      (address) =>
        `adress = "${address}", auth_login = { method = "approle", parametres = { secret_id = "canary" } }`,
    ),
  });
  expect(await errorsOf('plan', aclPolicy({ name: 'ops' }))).toMatchObject([
    { summary: 'clusters.us has no argument "adress"' },
    {
      summary: 'clusters.us.auth_login has no argument "parametres"',
      detail:
        'Allowed: method, namespace, parameters, path, secret_id_wrapping_path.\nTo do: write "parameters".',
      line: 'provider "vaultadmin" {',
    },
  ]);
});

test('a sealed server is an error that says what to do', async () => {
  stack = await startStack({
    provider: us((address, token) => `address = "${address}", token = "${token}", max_retries = 0`),
  });
  stack.emulator.faults.inject({ sealed: true, method: 'GET', path: 'sys/policies/*' });
  const [error] = await errorsOf('apply', aclPolicy({ name: 'ops' }));
  expect(error).toMatchObject({
    summary: 'cannot create ACL policy "ops" on cluster "us": the server is sealed',
    detail: `Cannot read sys/policies/acl/ops on ${stack.emulator.clusters.us!.address}: the server answered 503 (Vault is sealed). Unseal the server, then try again.
Request: GET /v1/sys/policies/acl/ops (status 503, tried once).`,
  });
});

test('a Sentinel policy on an open-source server is an error that says what to do', async () => {
  stack = await startStack({ serverVersion: '1.21.0' });
  const hcl = block('resource', 'vaultadmin_rgp_policy', {
    name: 'ops',
    policy: 'main = rule { true }',
    enforcement_level: 'advisory',
  });
  const [error] = await errorsOf('apply', hcl);
  expect(error).toMatchObject({
    summary: 'cannot create RGP policy "ops" on cluster "us": the server does not support this',
    detail: `Cannot read sys/policies/rgp/ops on ${stack.emulator.clusters.us!.address}: the server answered 404 (unsupported path). This server has no such endpoint: the path is wrong, it requires Vault Enterprise, or it can only be called from the root or the administrative namespace.
Request: GET /v1/sys/policies/rgp/ops (status 404, tried once).
To do: check that cluster "us" runs the Enterprise edition, which every RGP policy requires, and that the namespace is the root or the administrative one.`,
  });
});
