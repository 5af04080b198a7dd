import { Mount } from '@cdktf/provider-vault/lib/mount';
import { TerraformOutput, TerraformVariable } from 'cdktf';
import {
  AclPolicy,
  KeySpec,
  AzureEncryptionMode,
  GcpSignatureAlgorithm,
  RsaOaepHash,
  KeyCurve,
  ManagedKey,
  ManagedKeyBackend,
  ManagedKeyType,
  ManagedKeyUsage,
  Pkcs11Mechanism,
  SignatureHash,
  VaultCluster,
  ResourceProvider,
  VaultSecret,
  type ManagedKeyProps,
} from '../../../constructs';
import {
  GCP_ALGORITHMS,
  HASH_ALGORITHMS,
  KEY_CURVES,
  KEY_USAGES,
  MANAGED_KEY_BACKENDS,
  MANAGED_KEY_TYPES,
  MECHANISMS,
} from '../../../src/model';
import { onlyResource, synthesize, warnings, type StackJson } from '../support/synthesize';

const TYPE = 'vaultadmin_managed_key';
const secret = (name: string) => VaultSecret.fromVariable(name);

const HSM = {
  library: 'hsm',
  tokenLabel: 'vault',
  keyLabel: 'signing',
  mechanism: Pkcs11Mechanism.RSA_PKCS_PSS,
};
const PKCS11 = ManagedKeyBackend.pkcs11({ ...HSM, pin: secret('hsm_pin') });

/** Declares one key on the cluster `us`. */
function declared(props: Partial<ManagedKeyProps> = {}, resources = ResourceProvider.VAULTADMIN): StackJson {
  return synthesize((stack) => {
    const cluster = new VaultCluster(stack, 'Cluster', { name: 'us', resourceProvider: resources });
    new ManagedKey(stack, 'Signing', { keyName: 'signing', backend: PKCS11, ...props, cluster });
  });
}

describe.each([ResourceProvider.UPSTREAM, ResourceProvider.VAULTADMIN])(
  'a ManagedKey on a cluster of %s',
  (resources) => {
    test('a ManagedKey becomes one resource of vaultadmin, with ephemeral variables for its secrets', () => {
      const stack = declared(
        {
          namespace: 'team',
          usages: [ManagedKeyUsage.SIGN, ManagedKeyUsage.RANDOM],
          allowGenerateKey: false,
          allowReplaceKey: true,
          allowStoreKey: false,
          anyMount: true,
        },
        resources,
      );
      expect(stack.resource).toEqual({
        [TYPE]: {
          Signing: {
            '//': { metadata: { path: 'stack/Signing/Resource', uniqueId: 'Signing' } },
            provider: 'vaultadmin',
            cluster: 'us',
            name: 'signing',
            namespace: 'team',
            usages: ['sign', 'random'],
            allow_generate_key: false,
            allow_replace_key: true,
            allow_store_key: false,
            any_mount: true,
            pkcs11: {
              library: 'hsm',
              token_label: 'vault',
              key_label: 'signing',
              mechanism: '0x000D',
              pin_wo: '${var.hsm_pin}',
              pin_wo_version: 1,
            },
          },
        },
      });
      expect(stack.variable).toEqual({
        hsm_pin: { type: 'string', sensitive: true, nullable: false, ephemeral: true },
      });
      expect(stack.provider).toEqual({ vaultadmin: [{ clusters: { us: {} } }] });
      expect(Object.keys(stack.terraform.required_providers)).toEqual(['vaultadmin']);
    });
  },
);

test('a ManagedKey may be in a stack with resources of hashicorp/vault, each with its provider', () => {
  const stack = synthesize((scope) => {
    const cluster = new VaultCluster(scope, 'Cluster', { token: secret('token') });
    const key = new ManagedKey(scope, 'Signing', { cluster, backend: PKCS11 });
    key.grantRead(new AclPolicy(scope, 'Auditor', { cluster }));
  });
  expect(stack.provider).toEqual({
    vault: [{ token: '${var.token}' }],
    vaultadmin: [{ clusters: { default: { token: '${var.token}', usual_environment: true } } }],
  });
  expect(onlyResource(stack, 'vault_policy').provider).toBe('vault');
  expect(onlyResource(stack, TYPE).provider).toBe('vaultadmin');
});

describe('a backend with all of its arguments', () => {
  const backends: Record<(typeof MANAGED_KEY_TYPES)[number], [ManagedKeyBackend, object]> = {
    pkcs11: [
      ManagedKeyBackend.pkcs11({
        library: 'hsm',
        mechanism: Pkcs11Mechanism.ECDSA,
        pin: secret('pin'),
        secretsVersion: 2,
        keyLabel: 'label',
        keyId: '0x01',
        slot: '2305843009213693953',
        keySpec: KeySpec.ecc(KeyCurve.P384),
        forceRwSession: true,
        maxParallel: 4,
      }),
      {
        library: 'hsm',
        mechanism: '0x1041',
        pin_wo: '${var.pin}',
        pin_wo_version: 2,
        key_label: 'label',
        key_id: '0x01',
        slot: '2305843009213693953',
        curve: 'P384',
        force_rw_session: true,
        max_parallel: 4,
      },
    ],
    awskms: [
      ManagedKeyBackend.awsKms({
        kmsKey: 'alias/signing',
        keySpec: KeySpec.rsa(2048),
        accessKey: secret('access'),
        secretKey: secret('secret'),
        secretsVersion: 2,
        region: 'eu-west-1',
        endpoint: 'https://kms.example.com',
      }),
      {
        kms_key: 'alias/signing',
        key_type: 'RSA',
        key_bits: 2048,
        access_key_wo: '${var.access}',
        access_key_wo_version: 2,
        secret_key_wo: '${var.secret}',
        secret_key_wo_version: 2,
        region: 'eu-west-1',
        endpoint: 'https://kms.example.com',
      },
    ],
    azurekeyvault: [
      ManagedKeyBackend.azureKeyVault({
        tenantId: 'tenant',
        vaultName: 'vault',
        keyName: 'key',
        keySpec: KeySpec.rsa(3072),
        clientId: 'client',
        clientSecret: secret('secret'),
        environment: 'AZUREUSGOVERNMENTCLOUD',
        resource: 'managedhsm.azure.net',
        encryptionMode: AzureEncryptionMode.RAW,
      }),
      {
        tenant_id: 'tenant',
        vault_name: 'vault',
        key_name: 'key',
        key_type: 'RSA-HSM',
        key_bits: 3072,
        client_id: 'client',
        client_secret_wo: '${var.secret}',
        client_secret_wo_version: 1,
        environment: 'AZUREUSGOVERNMENTCLOUD',
        resource: 'managedhsm.azure.net',
        encryption_mode: 'raw',
      },
    ],
    gcpckms: [
      ManagedKeyBackend.gcpCkms({
        keyRing: 'ring',
        cryptoKey: 'key',
        algorithm: GcpSignatureAlgorithm.EC_SIGN_P256_SHA256,
        cryptoKeyVersion: '3',
        project: 'project',
        region: 'europe-west1',
        credentials: secret('credentials'),
      }),
      {
        key_ring: 'ring',
        crypto_key: 'key',
        algorithm: 'EC_SIGN_P256_SHA256',
        crypto_key_version: '3',
        project: 'project',
        region: 'europe-west1',
        credentials_wo: '${var.credentials}',
        credentials_wo_version: 1,
      },
    ],
  };

  test.each(MANAGED_KEY_TYPES)('the backend becomes a block of the resource: %s', (type) => {
    const [backend, block] = backends[type];
    expect(onlyResource(declared({ backend }), TYPE)).toEqual({
      provider: 'vaultadmin',
      cluster: 'us',
      name: 'signing',
      [type]: block,
    });
  });
});

test('a backend without credentials has no arguments and no variables for them', () => {
  const backend = ManagedKeyBackend.awsKms({
    kmsKey: 'alias/signing',
    keySpec: KeySpec.ecc(KeyCurve.P256),
  });
  const stack = declared({ backend });
  expect(onlyResource(stack, TYPE).awskms).toEqual({
    kms_key: 'alias/signing',
    key_type: 'ECDSA',
    curve: 'P256',
  });
  expect(stack.variable).toBeUndefined();
});

test.each(MECHANISMS)('Pkcs11Mechanism.of accepts the name $name', ({ name, text }) => {
  const stack = synthesize((scope) => {
    const cluster = new VaultCluster(scope, 'Cluster');
    const props = { library: 'hsm', slot: '1', keyLabel: 'label', pin: secret('pin') };
    new ManagedKey(scope, 'Signing', {
      cluster,
      backend: ManagedKeyBackend.pkcs11({ ...props, mechanism: Pkcs11Mechanism.of(name) }),
    });
  });
  expect(onlyResource(stack, TYPE).pkcs11).toMatchObject({ mechanism: text });
});

test('the hash of RSA-OAEP requires the mechanism for it', () => {
  const oaep = (mechanism: Pkcs11Mechanism) =>
    synthesize((scope) => {
      new ManagedKey(scope, 'Signing', {
        cluster: new VaultCluster(scope, 'Cluster'),
        backend: ManagedKeyBackend.pkcs11({
          library: 'hsm',
          slot: '1',
          keyLabel: 'label',
          pin: secret('pin'),
          mechanism,
          rsaOaepHash: RsaOaepHash.SHA384,
        }),
      });
    });
  expect(onlyResource(oaep(Pkcs11Mechanism.RSA_PKCS_OAEP), TYPE).pkcs11).toMatchObject({
    rsa_oaep_hash: 'sha384',
  });
  expect(() => oaep(Pkcs11Mechanism.RSA_PKCS)).toThrow(
    'rsaOaepHash requires the mechanism CKM_RSA_PKCS_OAEP',
  );
});

test('the constants are those of the model', () => {
  expect(Object.values(ManagedKeyUsage)).toEqual(KEY_USAGES);
  expect(Object.values(ManagedKeyType)).toEqual(MANAGED_KEY_TYPES);
  expect(Object.values(KeyCurve)).toEqual(KEY_CURVES);
  expect(Object.values(SignatureHash)).toEqual(HASH_ALGORITHMS);
  expect(Object.values(GcpSignatureAlgorithm)).toEqual(GCP_ALGORITHMS);
  expect(Object.values(RsaOaepHash)).toEqual(MANAGED_KEY_BACKENDS.pkcs11.fields.rsa_oaep_hash?.allowed);
  expect(Object.values(AzureEncryptionMode)).toEqual(
    MANAGED_KEY_BACKENDS.azurekeyvault.fields.encryption_mode?.allowed,
  );
  const mechanisms = MECHANISMS.map(({ name }) => [name.replace('CKM_', ''), Pkcs11Mechanism.of(name)]);
  expect(Object.fromEntries(Object.entries(Pkcs11Mechanism))).toEqual(Object.fromEntries(mechanisms));
});

describe('the test signature of a key', () => {
  const block = (testSign: ManagedKeyProps['testSign']) =>
    onlyResource(declared({ testSign }), TYPE).test_sign;

  test('the test signature has all of its arguments', () => {
    const testSign = { hashAlgorithm: SignatureHash.SHA3_512, usePss: true, onRefresh: true };
    expect(block(testSign)).toEqual({ hash_algorithm: 'sha3-512', use_pss: true, on_refresh: true });
  });

  test('an empty test signature has the default of on_refresh, and the block is absent without a test signature', () => {
    expect(block({})).toEqual({ on_refresh: false });
    expect(block(undefined)).toBeUndefined();
  });
});

test('a ManagedKey has a default name from its path', () => {
  expect(onlyResource(declared({ keyName: undefined }), TYPE).name).toBe('stack-signing');
});

test('a ManagedKey passes values that only Terraform knows to Terraform', () => {
  const stack = synthesize((scope) => {
    const cluster = new VaultCluster(scope, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN });
    const text = (name: string) => new TerraformVariable(scope, name, { type: 'string' }).stringValue;
    const version = new TerraformVariable(scope, 'version', { type: 'number' }).numberValue;
    new ManagedKey(scope, 'Signing', {
      cluster,
      keyName: text('name'),
      allowGenerateKey: true,
      backend: ManagedKeyBackend.awsKms({
        kmsKey: text('key'),
        keySpec: KeySpec.rsa(version),
        accessKey: VaultSecret.fromEphemeral('ephemeral.vault_kv_secret_v2.kms.data["access"]'),
        secretKey: `\${var.secret}`,
        secretsVersion: version,
      }),
      testSign: { hashAlgorithm: text('hash') as SignatureHash, usePss: true },
    });
  });
  expect(onlyResource(stack, TYPE)).toMatchObject({
    name: '${var.name}',
    awskms: {
      kms_key: '${var.key}',
      key_type: 'RSA',
      key_bits: '${var.version}',
      access_key_wo: '${ephemeral.vault_kv_secret_v2.kms.data["access"]}',
      access_key_wo_version: '${var.version}',
      secret_key_wo: '${var.secret}',
    },
    test_sign: { hash_algorithm: '${var.hash}' },
  });
});

test('resources that use keyName or uuid wait for the key', () => {
  const stack = synthesize((scope) => {
    const cluster = new VaultCluster(scope, 'Cluster');
    const key = new ManagedKey(scope, 'Signing', { cluster, backend: PKCS11 });
    expect(key.node.defaultChild).toBe(key.resource);
    key.resource.addOverride('lifecycle.prevent_destroy', true);
    new TerraformOutput(scope, 'key', { value: `${key.keyName}/${key.uuid}` });
  });
  expect(stack.output).toEqual({ key: { value: `\${${TYPE}.Signing.name}/\${${TYPE}.Signing.uuid}` } });
  expect(onlyResource(stack, TYPE).lifecycle).toEqual({ prevent_destroy: true });
});

describe('the mount of a key', () => {
  const mounts = (build: (keys: ManagedKey[], mount: (props?: object) => Mount) => void) =>
    synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster');
      const provider = cluster.providerFor(scope, ResourceProvider.UPSTREAM);
      const keys = ['a', 'b'].map(
        (id) => new ManagedKey(scope, id, { cluster, keyName: id, backend: PKCS11 }),
      );
      build(keys, (props) => new Mount(scope, 'Pki', { provider, path: 'pki', type: 'pki', ...props }));
    });
  const listed = (stack: StackJson) => onlyResource(stack, 'vault_mount').allowed_managed_keys;

  test('the mount lists each allowed key once, and is created after the keys', () => {
    const stack = mounts(([a, b], mount) => {
      const pki = mount();
      for (const key of [a, b, a]) key!.allowOn(pki);
    });
    expect(listed(stack)).toEqual([`\${${TYPE}.a.name}`, `\${${TYPE}.b.name}`]);
  });

  test('the mount keeps the keys that it already lists', () => {
    const stack = mounts(([a], mount) => a!.allowOn(mount({ allowedManagedKeys: ['old'] })));
    expect(listed(stack)).toEqual(['old', `\${${TYPE}.a.name}`]);
  });

  test('the mount keeps a list that only Terraform knows', () => {
    const stack = mounts(([a], mount) => {
      const pki = mount();
      const old = new TerraformVariable(pki, 'old', { type: 'list(string)' });
      old.overrideLogicalId('old');
      pki.allowedManagedKeys = old.listValue;
      a!.allowOn(pki);
    });
    expect(listed(stack)).toBe(`\${distinct(concat(var.old, [${TYPE}.a.name]))}`);
  });

  test('the mount accepts a key that another app writes', () => {
    const stack = synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster');
      const key = ManagedKey.fromManagedKeyAttributes(scope, 'Old', {
        cluster,
        backendType: ManagedKeyType.PKCS11,
        keyName: 'old',
      });
      const provider = cluster.providerFor(scope);
      key.allowOn(new Mount(scope, 'Pki', { provider, path: 'pki', type: 'pki' }));
    });
    expect(listed(stack)).toEqual(['old']);
    expect(stack.resource?.[TYPE]).toBeUndefined();
  });
});

describe('a grant on a managed key', () => {
  const granted = (
    grant: (key: ManagedKey, policy: AclPolicy) => void,
    namespaces: { key?: string; policy?: string } = {},
  ) => {
    const stack = synthesize((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster');
      const key = new ManagedKey(scope, 'Signing', {
        cluster,
        keyName: 'signing',
        namespace: namespaces.key,
        backend: PKCS11,
      });
      const policy = new AclPolicy(scope, 'P', { cluster, policyName: 'p', namespace: namespaces.policy });
      grant(key, policy);
    });
    return onlyResource(stack, 'vault_policy').policy;
  };

  test('a grant to read the key has the capability for it', () => {
    expect(granted((key, policy) => key.grantRead(policy))).toBe(
      '# Read the managed key "signing".\n' +
        'path "sys/managed-keys/pkcs11/signing" {\n  capabilities = ["read"]\n}\n',
    );
  });

  test('a grant to manage the key has the capabilities for it, with the test signature', () => {
    expect(granted((key, policy) => key.grantManage(policy))).toBe(
      '# Manage the managed key "signing".\n' +
        'path "sys/managed-keys/pkcs11/signing" {\n  capabilities = ["create", "read", "update", "delete"]\n}\n\n' +
        'path "sys/managed-keys/pkcs11/signing/test/sign" {\n  capabilities = ["create", "update"]\n}\n',
    );
  });

  test('a grant to sign a test has the capability for the test signature only', () => {
    expect(granted((key, policy) => key.grantTestSign(policy))).toBe(
      '# Sign test data with the managed key "signing".\n' +
        'path "sys/managed-keys/pkcs11/signing/test/sign" {\n  capabilities = ["create", "update"]\n}\n',
    );
  });

  test.each([
    [{ key: 'team', policy: 'team' }, ''],
    [{ key: 'team' }, 'team/'],
    [{ key: '/team/app/', policy: 'team/' }, 'app/'],
  ])('a grant has paths relative to the namespace of the policy: %j', (namespaces, prefix) => {
    expect(granted((key, policy) => key.grantRead(policy), namespaces)).toContain(
      `path "${prefix}sys/managed-keys/pkcs11/signing"`,
    );
  });
});

test('a valid key has no warning', () => {
  const found = warnings((scope) => {
    const cluster = new VaultCluster(scope, 'Cluster');
    new ManagedKey(scope, 'Signing', { cluster, backend: PKCS11, testSign: { usePss: true } });
  });
  expect(found).toEqual([]);
});
