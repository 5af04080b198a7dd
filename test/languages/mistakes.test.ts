/** Mistakes that people make in apps in Python, and the last lines of their tracebacks. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pythonOrReason } from './support/environment';
import { ROOT } from '../package/support/tarball';
import { temporaryFolder } from '../support/temporary-folder';

/** The time limit of the build of the package if nothing is built yet. */
const TIMEOUT = 900_000;

const MISTAKES: readonly (readonly [mistake: string, code: string, text: string])[] = [
  [
    'a misspelled argument',
    'AclPolicy(stack, "P", cluster=us, namspace="team")',
    "TypeError: AclPolicy.__init__() got an unexpected keyword argument 'namspace'",
  ],
  [
    'a missing argument',
    'EgpPolicy(stack, "P", cluster=us, paths=["a"])',
    "TypeError: EgpPolicy.__init__() missing 2 required keyword-only arguments: 'document' and " +
      "'enforcement_level'",
  ],
  [
    'a name with capital letters',
    'AclPolicy(stack, "P", cluster=us, policy_name="App-Reader")',
    'RuntimeError: [st/P] ACL policy "App-Reader": policy_name must be lower case; received ' +
      '"App-Reader"; allowed: lower-case letters, since the server converts names to lower case; ' +
      'write "app-reader"',
  ],
  [
    'a policy that ends too early',
    `AclPolicy(stack, "P", cluster=us, document=PolicyDocument.from_text('path "a" {'))`,
    'RuntimeError: [st/P] ACL policy "st-p": document cannot be parsed: "}" is missing at the end ' +
      'of the block (line 1, column 1); close the block with "}"',
  ],
  [
    'a misspelled capability',
    `AclPolicy(stack, "P", cluster=us, document=PolicyDocument.from_text('path "a" { capabilities = ["raed"] }'))`,
    'RuntimeError: [st/P] ACL policy "st-p": document cannot be parsed: path "a": invalid ' +
      'capability "raed" (line 1, column 28); received "raed"; allowed: "deny", "create", "read", ' +
      '"update", "delete", "list", "sudo", "patch", "subscribe", "recover"; write "read"',
  ],
  [
    'a file that does not exist',
    'PolicyDocument.from_file("policies/none.hcl")',
    'RuntimeError: the file "policies/none.hcl" does not exist: it was looked for at ' +
      'FOLDER/policies/none.hcl; name a file, with its path from the folder in which the app runs, or ' +
      'with pathlib.Path(__file__).parent',
  ],
  [
    'no paths of a statement',
    'PolicyStatement(paths=[], capabilities=[Capability.READ])',
    'RuntimeError: PolicyStatement: paths is empty; allowed: one path or more; write for example ' +
      '["secret/data/app/*"]',
  ],
  [
    'statements of a document from text',
    `PolicyDocument.from_text("# none").add_statements(PolicyStatement(paths=["a"], capabilities=[Capability.READ]))`,
    'RuntimeError: a policy document from text cannot have statements; add them to the text, or ' +
      'build the document from statements only',
  ],
  [
    'a member twice',
    `
member = PerfReplicationMember(cluster=eu)
PerfReplicationSet(stack, "S", primary=us, members=[PerfReplicationMember(cluster=us), member, member])`,
    'RuntimeError: [st/S] performance replication set: two members have the name "eu"; allowed: ' +
      'each cluster once',
  ],
  [
    'a primary that is not a member',
    'PerfReplicationSet(stack, "S", primary=us, members=[PerfReplicationMember(cluster=eu)])',
    'RuntimeError: [st/S] performance replication set: primary is "us", which is not among the ' +
      'members; allowed: "eu"; add it to members, or name one of them',
  ],
  [
    'a confirmation without the name of the cluster',
    `
members = [PerfReplicationMember(cluster=us), PerfReplicationMember(cluster=eu, confirm_data_loss="yes")]
PerfReplicationSet(stack, "S", primary=us, members=members)`,
    'RuntimeError: [st/S] secondary of the replication set "eu": confirm_data_loss must repeat the ' +
      'name of the cluster; received "yes"; allowed: "eu"; write "eu" if everything that the cluster ' +
      'holds may be erased; otherwise remove it',
  ],
  [
    'an address without a scheme',
    'VaultCluster(stack, "x", name="x", address="vault.example:8200")',
    'RuntimeError: [st/x] Vault cluster: address is not valid; received "vault.example:8200"; ' +
      'allowed: a URL such as https://vault.example.com:8200, without user name, query and fragment; ' +
      'correct it, or remove it',
  ],
  [
    'an address that ends with /v1',
    'VaultCluster(stack, "x", name="x", address="https://vault.example/v1")',
    'RuntimeError: [st/x] Vault cluster: address is not valid; received "https://vault.example/v1"; ' +
      'allowed: a URL such as https://vault.example.com:8200, without user name, query and fragment; ' +
      'remove /v1 from its end, which is added to each request',
  ],
  [
    'a name of a cluster twice',
    `
other = VaultCluster(stack, "x", name="us", resource_provider=ResourceProvider.VAULTADMIN)
for cluster in [us, other]:
    document = PolicyDocument.from_text("# none")
    AclPolicy(stack, f"P{cluster.node.id}", cluster=cluster, policy_name=cluster.node.id, document=document)`,
    'RuntimeError: [st] two clusters in one stack are named "us"; the other one is [st/us]; give each VaultCluster a ' +
      'unique name, or use the same VaultCluster in both places',
  ],
  [
    'a token in the code',
    'VaultCluster(stack, "x", name="x", token="canary")',
    'RuntimeError: [st/x] Vault cluster: token is in plain text, and would be in the code, in the ' +
      "stack's files and in plans; allowed: a reference that Terraform resolves; write " +
      "VaultSecret.from_variable('name') and set TF_VAR_name, or leave it out and set it in the " +
      'environment of Terraform',
  ],
  [
    'a secret in place of the name of its variable',
    'VaultSecret.from_variable("canary canary")',
    'RuntimeError: VaultSecret.from_variable requires the name of a Terraform variable; allowed: a ' +
      'letter or _, followed by letters, digits, - and _; write for example ' +
      'VaultSecret.from_variable("us_token") and set TF_VAR_us_token',
  ],
  [
    'a key of a size that no backend has',
    'KeySpec.rsa(1000)',
    'RuntimeError: KeySpec.rsa received 1000; allowed: 2048, 3072, 4096; write for example ' +
      'KeySpec.rsa(3072)',
  ],
  [
    'a negative duration',
    'Duration.hours(-1)',
    'RuntimeError: Duration.hours received -1; allowed: a whole number that is not negative, or a ' +
      'token; write for example Duration.hours(12)',
  ],
  [
    'a key of another family than its mechanism',
    `
ManagedKeyBackend.pkcs11(
    library="hsm", key_label="k", pin=VaultSecret.from_variable("pin"), slot="0",
    mechanism=Pkcs11Mechanism.ECDSA, key_spec=KeySpec.rsa(2048))`,
    'RuntimeError: ManagedKeyBackend.pkcs11: key_spec is an RSA key, and the mechanism CKM_ECDSA ' +
      'needs an ECDSA key; write for example KeySpec.ecc(KeyCurve.P256), or choose another mechanism',
  ],
  [
    'an overwriting policy with resources of vaultadmin',
    'AclPolicy(stack, "P", cluster=us, allow_overwrite=True)',
    'RuntimeError: [st/P] ACL policy: allow_overwrite is True; allowed: False, since the provider ' +
      'vaultadmin never overwrites a policy that it did not create; import the policy, or set ' +
      'resource_provider=ResourceProvider.UPSTREAM on the VaultCluster',
  ],
  [
    'two policies with one name',
    `
for name in ["First", "Second"]:
    statement = PolicyStatement(paths=["a"], capabilities=[Capability.READ])
    AclPolicy(stack, name, cluster=us, policy_name="ops", statements=[statement])`,
    'RuntimeError: [st/Second] ACL policy "ops" on cluster "us" is written by [st/First] already; ' +
      'give one of the two another policy_name, or refer to the other one with from_policy_name',
  ],
];

const python = pythonOrReason();
const whereThereIsPython = 'missing' in python ? describe.skip : describe;

whereThereIsPython('mistakes in Python', () => {
  let folder: string;
  let printed: readonly string[];
  beforeAll(() => {
    const { base } = python as { base: string };
    folder = temporaryFolder('mistakes');
    const build = ['scripts/flavours/run.mjs', 'cdktf', 'python'];
    execFileSync(process.execPath, build, { cwd: ROOT, encoding: 'utf8' });
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const wheel = join(ROOT, 'dist', `cdktf_vault_admin-${version}-py3-none-any.whl`);
    const interpreter = join(base, 'bin', 'python');
    execFileSync(interpreter, ['-m', 'zipfile', '-e', wheel, join(folder, 'packages')]);
    const output = execFileSync(interpreter, [join(__dirname, 'support', 'run_mistakes.py')], {
      cwd: folder,
      env: {
        ...process.env,
        PYTHONPATH: join(folder, 'packages'),
        JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION: '20',
      },
      input: JSON.stringify(MISTAKES.map(([, code]) => code)),
      encoding: 'utf8',
    });
    printed = JSON.parse(output.trimEnd().split('\n').at(-1)!) as readonly string[];
  }, TIMEOUT);

  test.each(MISTAKES.map(([mistake, , text], index) => [mistake, index, text] as const))(
    '%s',
    (_mistake, index, text) => {
      expect(printed[index]!.replaceAll(folder, 'FOLDER')).toBe(text);
    },
  );

  test('no traceback repeats a secret', () => {
    expect(printed.filter((line) => line.includes('canary'))).toEqual([]);
  });
});
