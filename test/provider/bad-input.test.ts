import type { Emulator } from '../../src/emulator';
import { aclPolicy, block, providerBlock, startStack, type Stack, type StackOptions } from './support';

/**
 * Plans or applies a stack of its own, and expects no write to the server.
 *
 * @returns the output
 */
let stack: Stack;
afterEach(() => stack.close());

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

const rgpPolicy = { name: 'ops', policy: 'main = rule { true }', enforcement_level: 'advisory' };
const settingsOfUs =
  `To do: check the settings of cluster "us": those in clusters of the provider's configuration, ` +
  'then the variables VAULTADMIN_US_*, then VAULT_* if it is the only cluster.';

describe('a plan of an object that the server would refuse is an error', () => {
  beforeEach(async () => {
    stack = await startStack();
  });

  test('a name in upper case is refused', async () => {
    expect(await errorsOf('plan', aclPolicy({ name: 'Ops' }))).toEqual([
      {
        summary: 'ACL policy "Ops": name must be lower case',
        detail:
          'Received: "Ops".\n' +
          'Allowed: lower-case letters, since the server converts names to lower case.\n' +
          'To do: write "ops".',
        line: 'name = "Ops"',
      },
    ]);
  });

  test.each(['root', 'response-wrapping', 'control-group'])('the name %s is refused', async (name) => {
    expect(await errorsOf('plan', aclPolicy({ name }))).toEqual([
      {
        summary: `ACL policy "${name}": name is reserved for a built-in policy`,
        detail:
          `Received: "${name}".\n` +
          'Allowed: any name except "root", "response-wrapping", "control-group".\n' +
          'To do: choose another name.',
        line: `name = "${name}"`,
      },
    ]);
  });

  test('a namespace that no server can have is refused', async () => {
    expect(await errorsOf('plan', aclPolicy({ name: 'ops', namespace: 'a//b' }))).toEqual([
      {
        summary: 'ACL policy "ops": namespace cannot be the path of a namespace',
        detail:
          'Received: "a//b".\n' +
          'Allowed: names separated by slashes, without white space, "+" or "*", other than ., .., root, sys, audit, auth, ' +
          'cubbyhole, identity.\nTo do: write a path such as "team/project", or leave it out.',
        line: 'namespace = "a//b"',
      },
    ]);
  });

  test('an empty policy is refused', async () => {
    expect(await errorsOf('plan', aclPolicy({ name: 'ops', policy: '' }))).toEqual([
      {
        summary: 'ACL policy "ops": policy must not be empty',
        detail:
          'Received: "".\nTo do: set it to the policy document; one with only a comment grants nothing.',
        line: 'policy = ""',
      },
    ]);
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

  test('a policy with broken HCL is refused while planning', async () => {
    const policy = 'path "a" {\n  capabilities = ["read"\n}';
    expect(await errorsOf('plan', aclPolicy({ name: 'ops', policy }))).toEqual([
      {
        summary:
          'ACL policy "ops": policy cannot be parsed: "]" is missing at the end of the list (line 3, column 1)',
        detail: 'To do: close the list with "]".',
        line: `policy = ${JSON.stringify(policy)}`,
      },
    ]);
  });

  test('an unknown enforcement level is refused', async () => {
    const hcl = block('resource', 'vaultadmin_rgp_policy', { ...rgpPolicy, enforcement_level: 'mandatory' });
    expect(await errorsOf('plan', hcl)).toEqual([
      {
        summary: 'RGP policy "ops": enforcement_level must be one of the allowed values',
        detail:
          'Received: "mandatory".\n' +
          'Allowed: "advisory", "soft-mandatory", "hard-mandatory".\n' +
          'To do: use one of the allowed values.',
        line: 'enforcement_level = "mandatory"',
      },
    ]);
  });

  test('an EGP without a path is refused', async () => {
    expect(
      await errorsOf('plan', block('resource', 'vaultadmin_egp_policy', { ...rgpPolicy, paths: [] })),
    ).toEqual([
      {
        summary: 'EGP policy "ops": paths must contain at least one path',
        detail: 'Received: [].\nTo do: add the paths that the policy applies to.',
        line: 'paths = []',
      },
    ]);
  });

  test('an EGP with a glob in the middle of a path is refused', async () => {
    const hcl = block('resource', 'vaultadmin_egp_policy', { ...rgpPolicy, paths: ['secret/*/app'] });
    expect(await errorsOf('plan', hcl)).toEqual([
      {
        summary: 'EGP policy "ops": paths contains a path with a "*" before its end',
        detail:
          'Received: "secret/*/app".\n' +
          'Allowed: one "*", as the last character.\n' +
          'To do: write "secret/*", or list the paths individually.',
        line: 'paths = ["secret/*/app"]',
      },
    ]);
  });

  test('a create under a name that exists is refused', async () => {
    await stack.ask('PUT', 'sys/policies/acl/ops', { policy: '# of somebody else' });
    expect(await errorsOf('apply', aclPolicy({ name: 'ops' }))).toEqual([
      {
        summary: 'ACL policy "ops" on cluster "us" already exists',
        detail: `Creating it would overwrite the existing object. Nothing was changed.
To do: choose another name, or import it, replacing NAME with the resource's name, with the command

  terraform import vaultadmin_acl_policy.NAME 'us//ops'

or the block

  import {
    to = vaultadmin_acl_policy.NAME
    id = "us//ops"
  }`,
        line: 'resource "vaultadmin_acl_policy" "it" {',
      },
    ]);
    expect((await stack.ask('GET', 'sys/policies/acl/ops')).data).toMatchObject({
      policy: '# of somebody else',
    });
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

describe('a plan that cannot determine the cluster is an error', () => {
  test('the name of a cluster that is not configured is refused', async () => {
    stack = await startStack({ clusters: { us: 0, eu: 0 } });
    expect(await errorsOf('plan', aclPolicy({ name: 'ops', cluster: 'uk' }))).toEqual([
      {
        summary: 'ACL policy "ops": cluster "uk" is not configured',
        detail:
          'Received: "uk".\n' +
          'Allowed: "eu", "us".\n' +
          `To do: use one of these, or add "uk" to clusters in the provider's configuration.`,
        line: 'cluster = "uk"',
      },
    ]);
  });

  test('an object without a cluster is refused if there are two clusters', async () => {
    stack = await startStack({ clusters: { us: 0, eu: 0 } });
    expect(await errorsOf('plan', aclPolicy({ name: 'ops' }))).toEqual([
      {
        summary: 'ACL policy "ops": cluster is not set',
        detail:
          'The provider has several clusters.\n' +
          'Allowed: "eu", "us".\n' +
          'To do: set cluster to one of these.',
        line: 'resource "vaultadmin_acl_policy" "it" {',
      },
    ]);
  });

  test('a cluster with both a token and a login is refused', async () => {
    stack = await startStack({
      provider: us(
        (address) => `address = "${address}", token = "s.canary", auth_login = { method = "approle" }`,
      ),
    });
    expect(await errorsOf('plan', aclPolicy({ name: 'ops' }))).toEqual([
      {
        summary: 'cluster "us": token and auth_login are both given',
        detail: 'Allowed: one of them.\nTo do: leave out token to log in, or auth_login to use the token.',
        line: 'provider "vaultadmin" {',
      },
    ]);
  });
});

describe('names that a block does not have', () => {
  test('unknown names in clusters and auth_login are refused', async () => {
    stack = await startStack({
      provider: us(
        (address) =>
          `adress = "${address}", auth_login = { method = "approle", parametres = { secret_id = "canary" } }`,
      ),
    });
    const errors = await errorsOf('plan', aclPolicy({ name: 'ops' }));
    expect(errors).toEqual([
      {
        summary: 'clusters.us has no argument "adress"',
        detail:
          'Allowed: address, auth_login, ca_cert_dir, ca_cert_file, check_rights, client_auth, dialect, headers, max_retries, ' +
          'namespace, skip_tls_verify, timeout, tls_server_name, token, unknown_policy_syntax, usual_environment.\n' +
          'To do: did you mean "address"?',
        line: 'provider "vaultadmin" {',
      },
      {
        summary: 'clusters.us.auth_login has no argument "parametres"',
        detail:
          'Allowed: method, namespace, parameters, path, secret_id_wrapping_path.\nTo do: did you mean "parameters"?',
        line: 'provider "vaultadmin" {',
      },
    ]);
  });

  test('unknown names in timeouts are refused', async () => {
    stack = await startStack();
    const hcl = block('resource', 'vaultadmin_perf_replication_set', {
      primary: 'us',
      timeouts: { mode_chang: '1m' },
    });
    expect(await errorsOf('plan', hcl)).toEqual([
      {
        summary: 'Unsupported argument',
        detail: 'An argument named "mode_chang" is not expected here. Did you mean "mode_change"?',
        line: 'mode_chang = "1m"',
      },
    ]);
  });
});

describe('a server that cannot create the object', () => {
  /** Returns the error of a create, with the server's address replaced. */
  async function refusal(options: StackOptions, hcl = aclPolicy({ name: 'ops' })) {
    stack = await startStack(options);
    const errors = await errorsOf('apply', hcl);
    return errors.map(({ summary, detail }) => `${summary}\n${detail.replace(/127\.0\.0\.1:\d+/g, 'HOST')}`);
  }

  test('a refused token is an error with what to do', async () => {
    const provider = us((address) => `address = "${address}", token = "hvs.canary"`);
    expect(await refusal({ provider })).toEqual([
      `cannot create ACL policy "ops" on cluster "us": the token is not valid
Cannot read sys/policies/acl/ops on http://HOST: the server answered 403 (permission denied; invalid token). The server does not know the token: it is wrong, expired, revoked, or belongs to another cluster or namespace.
Request: GET /v1/sys/policies/acl/ops (status 403, tried once).
${settingsOfUs}`,
    ]);
  });

  test('a sealed server is an error with what to do', async () => {
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
    stack.emulator.faults.clear();
  });

  test('an address without a server is an error with what to do', async () => {
    const provider = us(() => 'address = "http://127.0.0.1:1", token = "s.canary", max_retries = 0');
    expect(await refusal({ provider })).toEqual([
      `cannot create ACL policy "ops" on cluster "us": the server cannot be reached
Cannot read sys/policies/acl/ops on http://HOST: no connection could be made (connect ECONNREFUSED HOST). Check the address (clusters.us.address), that the server is running and listens there, and the network in between.
Request: GET /v1/sys/policies/acl/ops (no answer, tried once).
${settingsOfUs}`,
    ]);
  });

  test('a certificate that is not trusted is an error with what to do', async () => {
    const provider = us((address, token) => `address = "${address}", token = "${token}"`);
    expect(await refusal({ tls: true, provider })).toEqual([
      `cannot create ACL policy "ops" on cluster "us": the server's certificate is not trusted
Cannot read sys/policies/acl/ops on https://HOST: the server's certificate is not trusted (unable to verify the first certificate). Set clusters.us.ca_cert_file or VAULT_CACERT to the certificate of the authority that signed it.
Request: GET /v1/sys/policies/acl/ops (no answer, tried once).
${settingsOfUs}`,
    ]);
  });

  test('a Sentinel policy on an open-source server is an error with what to do', async () => {
    expect(
      await refusal({ serverVersion: '1.21.0' }, block('resource', 'vaultadmin_rgp_policy', rgpPolicy)),
    ).toEqual([
      `cannot create RGP policy "ops" on cluster "us": the server does not support this
Cannot read sys/policies/rgp/ops on http://HOST: the server answered 404 (unsupported path). This server has no such endpoint: the path is wrong, it requires Vault Enterprise, or it can only be called from the root or the administrative namespace.
Request: GET /v1/sys/policies/rgp/ops (status 404, tried once).
To do: check that cluster "us" runs the Enterprise edition, which every RGP policy requires, and that the namespace is the root or the administrative one.`,
    ]);
  });
});
