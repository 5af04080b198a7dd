import { App, TerraformProvider, TerraformStack, TerraformVariable } from 'cdktf';
import {
  Duration,
  AclPolicy,
  PolicyDocument,
  VaultCluster,
  VaultDialect,
  ResourceProvider,
  VaultSecret,
  type VaultClusterProps,
} from '../../../constructs';
import { DIALECTS } from '../../../src/model';
import { inFolder, onlyResource, synthesize, synthesizeApp, warnings } from '../support/synthesize';

const DOCUMENT = PolicyDocument.fromText('path "secret/*" { capabilities = ["read"] }');

function withPolicyOn(props: VaultClusterProps) {
  return synthesize((stack) => {
    const cluster = new VaultCluster(stack, 'Cluster', props);
    new AclPolicy(stack, 'Policy', { cluster, policyName: 'readers', document: DOCUMENT });
  });
}

const CONNECTION: VaultClusterProps = {
  name: 'us',
  address: 'https://us.example.com:8200',
  namespace: 'admin',
  caCertFile: '/etc/vault/ca.pem',
  caCertDir: '/etc/vault/ca',
  tlsServerName: 'vault.example.com',
  skipTlsVerify: false,
  timeout: Duration.minutes(2),
  maxRetries: 5,
  headers: { 'CF-Access-Client-Secret': '${var.access}' },
  clientAuth: { certFile: '/etc/vault/cert.pem', keyFile: '/etc/vault/key.pem' },
  authLogin: {
    path: 'auth/approle/login',
    namespace: 'admin/ci',
    method: 'approle',
    parameters: { role_id: 'deployer', secret_id: '${var.secret_id}' },
  },
};

describe('a cluster with resources of hashicorp/vault, the default', () => {
  test('a cluster without settings has a provider block without settings', () => {
    const stack = withPolicyOn({});
    expect(stack.provider).toEqual({ vault: [{}] });
    expect(onlyResource(stack, 'vault_policy').provider).toBe('vault');
    expect(stack.terraform.required_providers).toEqual({
      vault: { source: 'hashicorp/vault', version: '~> 5.10' },
    });
  });

  test('a cluster has a provider block with its name, and with every setting', () => {
    const stack = withPolicyOn(CONNECTION);
    expect(stack.provider).toEqual({
      vault: [
        {
          alias: 'us',
          address: 'https://us.example.com:8200',
          namespace: 'admin',
          ca_cert_file: '/etc/vault/ca.pem',
          ca_cert_dir: '/etc/vault/ca',
          tls_server_name: 'vault.example.com',
          skip_tls_verify: false,
          max_retries: 5,
          headers: [{ name: 'CF-Access-Client-Secret', value: '${var.access}' }],
          client_auth: [{ cert_file: '/etc/vault/cert.pem', key_file: '/etc/vault/key.pem' }],
          auth_login: [
            {
              path: 'auth/approle/login',
              namespace: 'admin/ci',
              method: 'approle',
              parameters: { role_id: 'deployer', secret_id: '${var.secret_id}' },
            },
          ],
        },
      ],
    });
    expect(onlyResource(stack, 'vault_policy').provider).toBe('vault.us');
  });

  test('a cluster beside others has its own provider block', () => {
    const stack = synthesize((scope) => {
      for (const name of ['us', 'eu']) {
        const cluster = new VaultCluster(scope, name, { name, address: `https://${name}.example.com` });
        new AclPolicy(scope, `Policy-${name}`, { cluster, policyName: 'readers', document: DOCUMENT });
      }
    });
    expect(stack.provider).toEqual({
      vault: [
        { alias: 'us', address: 'https://us.example.com' },
        { alias: 'eu', address: 'https://eu.example.com' },
      ],
    });
  });

  test('several clusters that would use the same VAULT_ADDR are an error', () => {
    const build = () =>
      synthesize((scope) => {
        for (const name of ['us', 'eu']) {
          const address = name === 'us' ? 'https://us.example.com' : undefined;
          new VaultCluster(scope, name, { name, address }).providerFor(scope);
        }
      });
    expect(build).toThrow(
      '[stack/VaultProvider-eu] Vault cluster "eu": address is missing; where a stack uses several clusters, ' +
        'set the address of each for the provider hashicorp/vault, which would otherwise use the same VAULT_ADDR for all',
    );
  });
});

describe('the dialect of a server', () => {
  test('the dialect is written to the block of vaultadmin', () => {
    const stack = withPolicyOn({
      dialect: VaultDialect.NEUTRAL,
      resourceProvider: ResourceProvider.VAULTADMIN,
    });
    expect(stack.provider?.vaultadmin).toEqual([{ clusters: { default: { dialect: 'neutral' } } }]);
  });

  test('the dialect is an error if hashicorp/vault does not support it', () => {
    expect(() => withPolicyOn({ dialect: VaultDialect.NEUTRAL })).toThrow(
      'Vault cluster "default": dialect is "neutral", and the provider hashicorp/vault only knows the product\'s names; ' +
        'set resourceProvider to ResourceProvider.VAULTADMIN',
    );
    expect(Object.keys(withPolicyOn({ dialect: VaultDialect.VAULT }).provider ?? {})).toEqual(['vault']);
  });
});

describe('a wrapped secret_id', () => {
  const authLogin = {
    path: 'auth/approle/login',
    parameters: { secret_id: '${var.wrapping_token}' },
    secretIdWrappingPath: 'auth/approle/role/ci/secret-id',
  };

  test('a wrapped secret_id is written to the block of vaultadmin, which unwraps it', () => {
    const stack = withPolicyOn({ authLogin, resourceProvider: ResourceProvider.VAULTADMIN });
    expect(stack.provider?.vaultadmin).toEqual([
      {
        clusters: {
          default: {
            auth_login: {
              path: 'auth/approle/login',
              parameters: { secret_id: '${var.wrapping_token}' },
              secret_id_wrapping_path: 'auth/approle/role/ci/secret-id',
            },
          },
        },
      },
    ]);
  });

  test('a wrapped secret_id is an error if hashicorp/vault would log in with the wrapping token', () => {
    expect(() => withPolicyOn({ authLogin })).toThrow(
      'Vault cluster "default": authLogin has secretIdWrappingPath, but the provider hashicorp/vault does not unwrap the secret_id; ' +
        'set resourceProvider to ResourceProvider.VAULTADMIN, or unwrap the secret_id yourself',
    );
  });
});

describe('a cluster with resources of vaultadmin', () => {
  const resources = ResourceProvider.VAULTADMIN;

  test('a cluster without settings has a provider block without settings', () => {
    const stack = withPolicyOn({ resourceProvider: resources });
    expect(stack.provider).toEqual({ vaultadmin: [{}] });
    expect(onlyResource(stack, 'vaultadmin_acl_policy')).toMatchObject({
      provider: 'vaultadmin',
      cluster: 'default',
    });
    expect(Object.keys(stack.terraform.required_providers)).toEqual(['vaultadmin']);
  });

  test('the stack requires a version of Terraform, unless the app sets one itself', () => {
    expect(withPolicyOn({ resourceProvider: resources }).terraform.required_version).toBe('>= 1.11');
    const stack = synthesize((scope) => {
      scope.addOverride('terraform.required_version', '~> 1.12');
      new VaultCluster(scope, 'Cluster', { resourceProvider: resources }).providerFor(scope);
    });
    expect(stack.terraform.required_version).toBe('~> 1.12');
  });

  test('a cluster shares one provider block with the other clusters of the stack, and names stay unchanged', () => {
    const stack = synthesize((scope) => {
      const us = new VaultCluster(scope, 'Us', { ...CONNECTION, resourceProvider: resources });
      const eu = new VaultCluster(scope, 'Eu', { name: 'eu-West_1', resourceProvider: resources });
      new AclPolicy(scope, 'A', { cluster: us, policyName: 'a', document: DOCUMENT });
      new AclPolicy(scope, 'B', { cluster: us, policyName: 'b', document: DOCUMENT });
      new AclPolicy(scope, 'C', { cluster: eu, policyName: 'c', document: DOCUMENT });
    });
    expect(stack.provider).toEqual({
      vaultadmin: [
        {
          clusters: {
            us: {
              address: 'https://us.example.com:8200',
              namespace: 'admin',
              ca_cert_file: '/etc/vault/ca.pem',
              ca_cert_dir: '/etc/vault/ca',
              tls_server_name: 'vault.example.com',
              skip_tls_verify: false,
              timeout: '2m',
              max_retries: 5,
              headers: { 'CF-Access-Client-Secret': '${var.access}' },
              client_auth: { cert_file: '/etc/vault/cert.pem', key_file: '/etc/vault/key.pem' },
              auth_login: {
                path: 'auth/approle/login',
                namespace: 'admin/ci',
                method: 'approle',
                parameters: { role_id: 'deployer', secret_id: '${var.secret_id}' },
              },
            },
            'eu-West_1': {},
          },
        },
      ],
    });
  });

  test('the block contains the name of a cluster, even the default one, if there are other clusters or settings', () => {
    const beside = synthesize((scope) => {
      new VaultCluster(scope, 'Default', { resourceProvider: resources }).providerFor(scope);
      new VaultCluster(scope, 'Us', { name: 'us', resourceProvider: resources }).providerFor(scope);
    });
    expect(beside.provider).toEqual({ vaultadmin: [{ clusters: { default: {}, us: {} } }] });

    const configured = withPolicyOn({ resourceProvider: resources, namespace: 'admin' });
    expect(configured.provider).toEqual({ vaultadmin: [{ clusters: { default: { namespace: 'admin' } } }] });
  });
});

describe.each([ResourceProvider.UPSTREAM, ResourceProvider.VAULTADMIN])(
  'a cluster with resources of %s',
  (resources) => {
    test('a cluster has a provider block in each stack that uses it', () => {
      const stacks = synthesizeApp((app) => {
        const cluster = new VaultCluster(app, 'Cluster', {
          name: 'us',
          address: 'https://us.example.com',
          resourceProvider: resources,
        });
        for (const id of ['one', 'two', 'unused']) {
          const stack = new TerraformStack(app, id);
          if (id === 'unused') continue;
          new AclPolicy(stack, 'Policy', { cluster, policyName: id, document: DOCUMENT });
        }
      });
      const inOne = stacks.one?.provider;
      expect(Object.values(inOne ?? {})).toEqual([[expect.objectContaining({})]]);
      expect(stacks.two?.provider).toEqual(inOne);
      expect(stacks.unused?.provider).toBeUndefined();
    });

    test('the keys of login parameters stay unchanged', () => {
      const stack = withPolicyOn({
        resourceProvider: resources,
        authLogin: { path: 'auth/custom/login', parameters: { roleId: '${var.a}', 'X-Key': '${var.b}' } },
      });
      expect(JSON.stringify(stack.provider)).toContain(
        '"parameters":{"X-Key":"${var.b}","roleId":"${var.a}"}',
      );
    });

    test('a cluster has a provider block for resources that are declared by hand', () => {
      synthesize((scope) => {
        const cluster = new VaultCluster(scope, 'Cluster', { resourceProvider: resources });
        const provider = cluster.providerFor(scope);
        expect(TerraformProvider.isTerraformProvider(provider)).toBe(true);
        expect(cluster.providerFor(scope)).toBe(provider);
      });
    });

    test('another cluster of the same name in the stack is an error', () => {
      const build = () =>
        synthesize((scope) => {
          new VaultCluster(scope, 'A', { name: 'us', resourceProvider: resources }).providerFor(scope);
          new VaultCluster(scope, 'B', { name: 'us', resourceProvider: resources }).providerFor(scope);
        });
      expect(build).toThrow(
        '[stack] two clusters in one stack are named "us"; the other one is [stack/A]; ' +
          'give each VaultCluster a unique name, or use the same VaultCluster in both places',
      );
    });

    test('a token that comes from another stack, through the state of that stack, is an error', () => {
      const build = () =>
        synthesizeApp((app) => {
          const first = new TerraformStack(app, 'first');
          const token = new TerraformVariable(first, 'vault_token', { type: 'string', sensitive: true })
            .stringValue;
          const cluster = new VaultCluster(first, 'Cluster', { token, resourceProvider: resources });
          new AclPolicy(new TerraformStack(app, 'second'), 'Policy', { cluster, document: DOCUMENT });
        });
      expect(build).toThrow(
        'Vault cluster: token refers to another stack, whose state would hold it in plain text; ' +
          "allowed: a reference within the stack; write VaultSecret.fromVariable('token'), " +
          'which every stack takes from a variable of its own',
      );
    });
  },
);

describe.each(Object.values(ResourceProvider))(
  'a secret from a variable of the app, with %s',
  (resources) => {
    const using =
      (overrides: object) =>
      (stack: TerraformStack): void => {
        const variable = new TerraformVariable(stack, 'vault_token', { type: 'string', sensitive: true });
        for (const [name, value] of Object.entries(overrides)) variable.addOverride(name, value);
        new VaultCluster(stack, 'Cluster', {
          token: variable.stringValue,
          resourceProvider: resources,
        }).providerFor(stack);
      };

    test.each([
      ['one that is only sensitive, so that saved plans contain its value', {}, 1],
      ['one that is ephemeral', { ephemeral: true }, 0],
    ])('the secret causes a warning unless the variable is ephemeral: %s', (_what, overrides, times) => {
      expect(warnings(using(overrides))).toEqual(
        Array<unknown>(times).fill(
          expect.stringMatching(
            /: Vault cluster: token comes from the variable vault_token, whose value is in plain text in saved plans; /,
          ),
        ),
      );
    });

    test('the secret is an error if the variable has a default, which is part of the code', () => {
      const build = () => synthesize(using({ ephemeral: true, default: 'canary-token' }));
      expect(build).toThrow(
        'Vault cluster: token comes from the variable vault_token, whose default is in plain text in the code; ' +
          'remove the default and set TF_VAR_vault_token',
      );
      expect(build).not.toThrow('canary');
    });
  },
);

describe('a VaultCluster with invalid settings', () => {
  const failing = (props: VaultClusterProps) => () =>
    inFolder((outdir) => {
      const app = new App({ outdir });
      const stack = new TerraformStack(app, 'stack');
      new VaultCluster(app, 'Cluster', props);
      stack.prepareStack();
    });

  test.each(['', '1st', 'us east', 'us/east', 'us.east'])('the name %j is an error', (name) => {
    expect(failing({ name })).toThrow(
      `[Cluster] Vault cluster: name ${JSON.stringify(name)} is not a valid cluster name; ` +
        'allowed: a letter, followed by letters, digits, "-" and "_"; choose a name such as "us-east"',
    );
  });

  test.each([
    ['resourceProvider', '"vault-admin"', { resourceProvider: 'vault-admin' }, '"upstream", "vaultadmin"'],
  ])('an unknown value of %s is an error: %s', (prop, received, props, allowed) => {
    expect(failing(props as VaultClusterProps)).toThrow(
      `[Cluster] Vault cluster: ${prop} is ${received}; allowed: ${allowed}; write one of these`,
    );
  });

  test.each([
    [
      { dialect: 'product' as VaultDialect },
      'dialect must be one of the allowed values; received "product"; allowed: "vault", "neutral"',
    ],
    [
      { address: 'us.example.com:8200' },
      'address is not valid; received "us.example.com:8200"; allowed: a URL such as',
    ],
    [{ maxRetries: 1.5 }, 'maxRetries must be a whole number'],
    [{ maxRetries: -1 }, 'maxRetries is not valid; received -1; allowed: a whole number from 0 on'],
    [{ namespace: 'a\nb' }, 'namespace cannot be the path of a namespace; received "a\\nb"; allowed: names '],
    [{ namespace: 'team/../x' }, 'namespace cannot be the path of a namespace; received "team/../x"; '],
    [
      { authLogin: { path: 'auth/approle/login', namespace: '../x' } },
      'authLogin: namespace cannot be the path of a namespace; received "../x"; allowed: names ',
    ],
  ])('the settings %j are an error', (props, message) => {
    expect(failing(props)).toThrow(`[Cluster] Vault cluster: ${message}`);
  });

  test('a timeout that is not a Duration is an error', () => {
    expect(failing({ timeout: 90 } as never)).toThrow('timeout');
  });

  test('the dialects are those of the model', () => {
    expect(Object.values(VaultDialect)).toEqual(DIALECTS);
  });

  test('a token in plain text is an error, which does not contain it', () => {
    const build = failing({ token: 'hvs.canary-token' });
    expect(build).toThrow(
      "[Cluster] Vault cluster: token is in plain text, and would be in the code, in the stack's files and in plans; " +
        "allowed: a reference that Terraform resolves; write VaultSecret.fromVariable('name') and set TF_VAR_name, " +
        'or leave it out and set it in the environment of Terraform',
    );
    expect(build).not.toThrow('canary');
  });

  test('a header in plain text is an error', () => {
    const build = () => withPolicyOn({ headers: { 'CF-Access-Client-Secret': 'canary' } });
    expect(build).toThrow('Vault cluster: header "CF-Access-Client-Secret" is in plain text');
    expect(build).not.toThrow('canary');
  });

  test('a header that the provider sets itself is an error', () => {
    const build = () => withPolicyOn({ headers: { 'X-Vault-Token': '${var.access}' } });
    expect(build).toThrow('has the header "X-Vault-Token", which only the client sets');
  });

  test('a login secret in plain text is an error, and parameters that only identify the user are accepted', () => {
    const build = failing({
      authLogin: {
        path: 'auth/userpass/login/alice',
        parameters: { role: 'ops', password: 'canary-password' },
      },
    });
    expect(build).toThrow('[Cluster] Vault cluster: authLogin parameter "password" is in plain text');
    expect(build).not.toThrow('canary');
    expect(build).not.toThrow('role');
  });

  test('a token together with a login is an error', () => {
    const token = VaultSecret.fromVariable('vault_token');
    expect(failing({ token, authLogin: { path: 'auth/cert/login' } })).toThrow(
      '[Cluster] Vault cluster: token and authLogin are both given; allowed: one of the two; leave out token to use authLogin',
    );
  });

  test('a wrapped secret_id that is missing, or that the provider would not unwrap, is an error', () => {
    const secretIdWrappingPath = 'auth/approle/role/ci/secret-id';
    const login = { path: 'auth/approle/login', secretIdWrappingPath };
    expect(failing({ authLogin: login })).toThrow(
      '[Cluster] Vault cluster: authLogin has secretIdWrappingPath, but parameters has no secret_id; ' +
        'set secret_id to the wrapping token, or leave out secretIdWrappingPath',
    );
    const parameters = { secret_id: VaultSecret.fromVariable('wrapping_token') };
    expect(failing({ authLogin: { ...login, parameters } })).not.toThrow();
  });

  test('the error contains all problems at once', () => {
    expect(failing({ name: 'x y', token: 'plain' })).toThrow(
      /name "x y"[^]*\n\[Cluster\] Vault cluster: token is in/,
    );
  });
});

test('a VaultCluster in an app of the other framework is an error with the correction', () => {
  class OtherApp extends App {}
  Object.defineProperty(OtherApp, Symbol.for('jsii.rtti'), {
    value: { fqn: 'cdktn.App', version: '0.24.0' },
  });
  expect(() => inFolder((outdir) => new VaultCluster(new OtherApp({ outdir }), 'Cluster'))).toThrow(
    '[Cluster] the app is built with cdktn, these constructs with cdktf: the two cannot share a construct tree; ' +
      'for an app on cdktn, install the package cdktn-vault-admin in place of cdktf-vault-admin',
  );
});
