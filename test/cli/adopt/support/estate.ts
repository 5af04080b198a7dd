import type { Emulator } from '../../../../src/emulator';
import {
  AUTO_SNAPSHOT,
  fromProduct,
  MANAGED_KEY,
  type Dialect,
  type ManagedKeyTypeName,
} from '../../../../src/model';
import { Api, type Answer } from '../../../emulator/support/api';

/** The number of ordinary ACL policies. */
export const ORDINARY = 200;

/** Texts of policies with parts that have a meaning for Terraform, HCL, TypeScript or Git. */
export const NASTY: Readonly<Record<string, string>> = {
  expressions:
    '# ${not.an.expression} %{ if nor this } $${ %%{ `${x}`\npath "a/*" {\n  capabilities = ["read"]\n}\n',
  dollars: '# $${x} $$${y} $$$${z} %%{a} %%%{b} $ $$ { ${\npath "a" {\n  capabilities = ["read"]\n}\n',
  tokens: '# ${TfToken[TOKEN.0]} and ${TfToken[Other.1]}\npath "a" {\n  capabilities = ["read"]\n}\n',
  templates: 'path "people/{{identity.entity.name}}/*" {\n\tcapabilities = ["read"]\n}',
  'line-ends': '# one\r\n# two\r\npath "b" {\r\n  capabilities = ["list"]\r\n}\r\n\r\n',
  quotes: '# \'single\' "double" `back` \\n \\\\ */ <<EOT\npath "c" { capabilities = ["read"] }\n\n\n',
  letters: '# ü → 日本語 🔑 e\u0301\npath "d" {\n  capabilities = ["read"]\n}\n',
  json: '{"path":{"e/*":{"capabilities":["create","read"]}}}',
  'old.style_name': 'path "f" {\n  policy = "write"\n}\n',
  'team/nested name': '   path "g" { capabilities = ["deny"] }   ',
  'team-nested-name': 'path "h" { capabilities = ["deny"] }',
};

const SENTINEL =
  'import "strings"\n\n# 100%{ ${x} }\nmain = rule {\n  strings.has_prefix(request.path, "secret/")\n}\n';

/** The secrets on the servers. No written file may contain one of them. */
export const SECRETS = {
  pin: 'canary-hsm-pin',
  kmsAccess: 'canary-kms-access',
  kmsSecret: 'canary-kms-secret',
  azureKeyVault: 'canary-key-vault-secret',
  ckms: 'canary-ckms-path',
  s3Secret: 'canary-s3-secret',
  s3Session: 'canary-s3-session',
  azureBlob: 'canary-blob-key',
  gcs: 'canary-gcs-key',
};

/** A text with what cdktf would take for its own tokens: of texts, lists and maps. */
const TOKENS =
  '${TfToken[TOKEN.0]} #{TfToken[TOKEN.1]} &{TfToken[TOKEN.2]} $${TfToken[TOKEN.0]} %{TfToken[TOKEN.0]}';

/** Managed keys, by type and name. */
const KEYS: Readonly<Record<ManagedKeyTypeName, Readonly<Record<string, object>>>> = {
  pkcs11: {
    'pki-signing': {
      library: 'hsm',
      slot: '2305843009213693953',
      key_label: 'pki ${signing}',
      mechanism: '0x000D',
      key_bits: 4096,
      pin: SECRETS.pin,
      allow_generate_key: 'true',
      usages: 'sign,verify,random',
      max_parallel: 4,
    },
    elliptic: {
      library: 'hsm',
      token_label: 'vault',
      key_label: TOKENS,
      mechanism: '0x1041',
      curve: 'P384',
      force_rw_session: 'true',
      pin: SECRETS.pin,
    },
  },
  awskms: {
    release: {
      kms_key: 'alias/release',
      key_type: 'ecdsa',
      curve: 'P256',
      region: 'eu-west-1',
      access_key: SECRETS.kmsAccess,
      secret_key: SECRETS.kmsSecret,
      any_mount: 'true',
    },
    'by-instance-profile': {
      kms_key: 'alias/other',
      key_type: 'RSA',
      key_bits: '2048',
      usages: 'encrypt,decrypt',
    },
  },
  azurekeyvault: {
    cloud: {
      tenant_id: 'tenant',
      client_id: 'client',
      client_secret: SECRETS.azureKeyVault,
      vault_name: 'vault',
      key_name: 'key',
      key_type: 'RSA-HSM',
      key_bits: '3072',
      resource: 'managedhsm.azure.net',
    },
  },
  gcpckms: {
    ring: {
      credentials: SECRETS.ckms,
      project: 'project',
      region: 'europe-west1',
      key_ring: 'ring',
      crypto_key: 'key',
      crypto_key_version: '7',
      algorithm: 'RSA_SIGN_PSS_2048_SHA256',
    },
  },
};

/** Configurations of automated snapshots, by name. */
const SNAPSHOTS: Readonly<Record<string, object>> = {
  hourly: {
    interval: '1h',
    storage_type: 'local',
    path_prefix: '/snapshots',
    local_max_space: 20_000_000_000,
  },
  odd: {
    interval: 5401,
    retain: 7,
    storage_type: 'local',
    path_prefix: '/var/%{odd}/${path}/',
    file_prefix: `it's ${TOKENS}`,
    local_max_space: 1,
  },
  s3: {
    interval: '24h',
    retain: 30,
    storage_type: 'aws-s3',
    path_prefix: 'vault/us/',
    aws_s3_bucket: 'backups',
    aws_s3_region: 'eu-west-1',
    aws_access_key_id: 'AKIA',
    aws_secret_access_key: SECRETS.s3Secret,
    aws_session_token: SECRETS.s3Session,
    aws_s3_endpoint: 'minio:9000',
    aws_s3_disable_tls: true,
    aws_s3_force_path_style: true,
    aws_s3_enable_kms: true,
    aws_s3_kms_key: 'backups',
  },
  's3.by-role': {
    interval: '90m',
    storage_type: 'aws-s3',
    path_prefix: 'x',
    aws_s3_bucket: 'backups',
    aws_s3_region: 'eu-west-1',
    aws_s3_server_side_encryption: true,
  },
  azure: {
    interval: '12h',
    storage_type: 'azure-blob',
    path_prefix: 'vault/',
    azure_container_name: 'backups',
    azure_account_name: 'account',
    azure_account_key: SECRETS.azureBlob,
    azure_blob_environment: 'AZUREUSGOVERNMENTCLOUD',
    azure_auth_mode: 'shared',
  },
  gcs: {
    interval: '12h',
    storage_type: 'google-gcs',
    path_prefix: 'vault/',
    google_gcs_bucket: 'backups',
    google_service_account_key: JSON.stringify({ private_key: SECRETS.gcs }),
    google_disable_tls: true,
  },
};

/** The number of objects by stack that {@link makeEstate} creates. */
export const COUNTS = {
  us: ORDINARY + Object.keys(NASTY).length + 1 + 2 + 2 + 6 + 6 + 6 + 1 + 2 + 2,
  eu: 2,
  replication: 1,
};

/** The environment variables for terraform and for the command. */
export type Settings = Readonly<Record<string, string>>;

/**
 * Creates an estate like one that was made by hand over the years: hundreds of policies, managed
 * keys, snapshots, namespaces, and two clusters that replicate with a filter.
 */
export async function makeEstate({ clusters }: Emulator, dialect: Dialect): Promise<Settings> {
  const us = new Api(clusters.us!.address, clusters.us!.rootToken);
  const eu = new Api(clusters.eu!.address, clusters.eu!.rootToken);
  const operator = await replicate(us, eu);

  const write = (path: string, body: object, namespace = '') => post(us, path, body, namespace);
  await writePolicies(write);
  const keys = fromProduct(dialect, MANAGED_KEY.name);
  for (const [type, named] of Object.entries(KEYS)) {
    for (const [name, body] of Object.entries(named))
      await write(`${MANAGED_KEY.path}/${keys.type(type)}/${name}`, keys.fields({ ...body }));
  }
  await write(
    `${MANAGED_KEY.path}/${keys.type('awskms')}/release`,
    keys.fields({ ...KEYS.awskms.release }),
    'team',
  );

  await write('sys/audit/syslog', { type: 'syslog', options: { tag: 'vault ${us}' } });
  await write('sys/audit/team/udp', {
    type: 'socket',
    description: 'for the SIEM',
    options: { address: 'siem:514', socket_type: 'udp', write_timeout: '1m', hmac_accessor: 'false' },
  });

  const snapshots = fromProduct(dialect, AUTO_SNAPSHOT.name);
  for (const [name, body] of Object.entries(SNAPSHOTS)) {
    await write(`${AUTO_SNAPSHOT.path}/${name}`, snapshots.fields({ ...body }));
    if (name !== 'hourly' && name !== 's3') continue;
    await post(eu.as(operator), `${AUTO_SNAPSHOT.path}/${name}`, snapshots.fields({ ...body }));
  }
  return {
    VAULTADMIN_US_ADDR: us.address,
    VAULTADMIN_US_TOKEN: clusters.us!.rootToken,
    VAULTADMIN_US_DIALECT: dialect,
    VAULTADMIN_EU_ADDR: eu.address,
    VAULTADMIN_EU_TOKEN: operator,
    VAULTADMIN_EU_DIALECT: dialect,
  };
}

type Write = (path: string, body: object, namespace?: string) => Promise<unknown>;

async function writePolicies(write: Write): Promise<void> {
  for (let i = 0; i < ORDINARY; i += 1) {
    const name = `app-${String(i).padStart(3, '0')}`;
    const policy = `path "secret/data/${name}/*" {\n  capabilities = ["read"]\n}\n`;
    await write(`sys/policies/acl/${name}`, { policy });
  }
  for (const [name, policy] of Object.entries(NASTY))
    await write(`sys/policies/acl/${encodeURI(name)}`, { policy });
  for (const [parent, child] of [
    ['', 'team'],
    ['team', 'inner'],
  ] as const) {
    const namespace = [parent, child].filter(Boolean).join('/');
    await write(`sys/namespaces/${child}`, {}, parent);
    await write('sys/policies/acl/app-000', { policy: NASTY.expressions }, namespace);
    await write('sys/policies/rgp/hours', { policy: SENTINEL, enforcement_level: 'advisory' }, namespace);
  }
  for (const enforcement_level of ['advisory', 'soft-mandatory', 'hard-mandatory']) {
    const body = { policy: SENTINEL, enforcement_level };
    await write(`sys/policies/rgp/${enforcement_level}`, body);
    const paths = ['secret/data/b/*', 'secret/data/a', 'sys/mounts'];
    await write(`sys/policies/egp/${enforcement_level}`, { ...body, paths });
  }
}

/**
 * Makes `eu` a secondary with a paths filter.
 *
 * @returns a token of an operator on `eu`, whose own tokens have ended
 */
async function replicate(us: Api, eu: Api): Promise<string> {
  await post(us, 'sys/auth/userpass', { type: 'userpass' });
  await post(us, 'sys/policies/acl/operator', {
    policy: 'path "*" {\n  capabilities = ["create", "read", "update", "delete", "list", "sudo"]\n}\n',
  });
  await post(us, 'auth/userpass/users/operator', { password: 'password', token_policies: 'operator' });
  const path = 'sys/replication/performance';
  await post(us, `${path}/primary/enable`, {});
  await post(us, `${path}/primary/paths-filter/eu-1`, { mode: 'deny', paths: ['us-only/', 'odd-${x}/'] });
  const { secondary_public_key } = (await post(eu, `${path}/secondary/generate-public-key`, {})).body.data;
  const issued = await post(us, `${path}/primary/secondary-token`, { id: 'eu-1', secondary_public_key });
  await post(eu, `${path}/secondary/enable`, { token: issued.body.data.token });
  const login = await post(eu.as(undefined), 'auth/userpass/login/operator', { password: 'password' });
  return login.body.auth.client_token as string;
}

async function post(api: Api, path: string, body: object, namespace = ''): Promise<Answer> {
  const answer = await api.post(path, body, { ...(namespace && { namespace }) });
  if (answer.status >= 400) throw new Error(`${path}: ${answer.status}: ${answer.text}`);
  return answer;
}
