/** Mistakes that people make on the command line, and the texts that they get. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificate } from '../../src/certificates';
import { startEmulator, type Emulator } from '../../src/emulator';
import { Api } from '../emulator/support/api';
import { vaultAdmin } from '../cli/support/cli';
import { temporaryFolder } from '../support/temporary-folder';

const FILES: Readonly<Record<string, string>> = {
  'app.hcl': 'path "secret/data/app" { capabilities = ["read"] }\n',
  'broken.hcl': 'path "a" { capabilities = ["raed"] }\n',
  'open.hcl': 'path "a" {\n',
  'app.sentinel': 'main = rule { request.path is "a" }\n',
  'none.json': 'not JSON\n',
  'other.json': '{"hello": 1}\n',
  'empty.txt': '',
  'ca.pem': 'no certificate\n',
};

const OTHER_AUTHORITY = {
  commonName: 'another authority',
  validFrom: new Date('2020-01-01T00:00:00Z'),
  validTo: new Date('2049-01-01T00:00:00Z'),
  authority: true,
};

let folder: string;
let emulator: Emulator;
beforeAll(async () => {
  folder = temporaryFolder('mistakes');
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, 'nothing'));
  writeFileSync(join(folder, 'other.pem'), issueCertificate(OTHER_AUTHORITY).pem);
  emulator = await startEmulator({ rootToken: 'root', tls: true, clusters: { us: 0 } });
  const { address, rootToken, caCertFile } = emulator.clusters.us!;
  const caPem = readFileSync(caCertFile!, 'utf8');
  await new Api(address, rootToken, caPem).put('sys/policies/acl/ops', { policy: FILES['app.hcl'] });
  VARIABLES.VAULT_ADDR = address;
  VARIABLES.VAULT_TOKEN = rootToken;
  VARIABLES.VAULT_CACERT = caCertFile!;
});
afterAll(() => emulator.close());

/** The correct settings. A mistake replaces one of them. */
const VARIABLES: Record<string, string> = {};

function textOf(output: string): string {
  const { address, caCertFile } = emulator.clusters.us!;
  return (
    output
      .trimEnd()
      .replaceAll(folder, 'FOLDER')
      .replaceAll(address, 'ADDRESS')
      .replaceAll(address.replace('https://', ''), 'HOST')
      .replaceAll(caCertFile!, 'CA_FILE')
      // The lists of findings and assumptions are long and still grow. Other tests cover them.
      .replace(/([\w-]+, ){15,}[\w-]+/, 'NAMES')
  );
}

test.each<[mistake: string, command: string, variables: Readonly<Record<string, string>>, text: string]>([
  [
    'a misspelt command',
    'statsu',
    {},
    "vault-admin: unknown command 'statsu'\n" + '(Did you mean status?)\n' + '(use --help for usage)',
  ],
  [
    'a misspelt subcommand',
    'policy cann read a',
    {},
    "vault-admin: unknown command 'cann'\n" + '(Did you mean can?)\n' + '(use --help for usage)',
  ],
  [
    'an unknown option',
    'status --josn',
    {},
    "vault-admin: unknown option '--josn'\n" + '(Did you mean --json?)\n' + '(use --help for usage)',
  ],
  [
    'an option of another command',
    'adopt --least-policy',
    {},
    "vault-admin: unknown option '--least-policy'\n" + '(use --help for usage)',
  ],
  [
    'an option without its value',
    'status --cluster',
    {},
    "vault-admin: option '--cluster <NAME...>' argument missing\n" + '(use --help for usage)',
  ],
  [
    'a value that is not one of those allowed',
    'status --format png',
    {},
    "vault-admin: option '--format <FORMAT>' argument 'png' is invalid. Allowed choices are svg, mermaid.\n" +
      '(use --help for usage)',
  ],
  [
    'text in place of a number',
    'status --max-wal-distance many',
    {},
    "vault-admin: option '--max-wal-distance <ENTRIES>' argument 'many' is invalid. Allowed are whole numbers from " +
      '0.\n' +
      '(use --help for usage)',
  ],
  [
    'a negative number',
    'status --max-wal-distance -1',
    {},
    "vault-admin: option '--max-wal-distance <ENTRIES>' argument '-1' is invalid. Allowed are whole numbers from 0.\n" +
      '(use --help for usage)',
  ],
  [
    'a port out of range',
    'status --web --port 70000',
    {},
    "vault-admin: option '--port <PORT>' argument '70000' is invalid. Allowed are ports from 0 to 65535; 0 for any " +
      'free one.\n' +
      '(use --help for usage)',
  ],
  [
    'two formats',
    'status --json --prometheus',
    {},
    "vault-admin: option '--prometheus' cannot be used with option '--json'\n" + '(use --help for usage)',
  ],
  [
    'an argument too many',
    'status us',
    {},
    "vault-admin: unexpected argument 'us': 'status' takes no arguments\n" + '(use --help for usage)',
  ],
  [
    'a missing argument',
    'policy can read',
    {},
    "vault-admin: missing required argument 'PATH'\n" + '(use --help for usage)',
  ],
  [
    'a shell that is not known',
    'completion csh',
    {},
    "vault-admin: command-argument value 'csh' is invalid for argument 'SHELL'. Allowed choices are bash, zsh, fish.\n" +
      '(use --help for usage)',
  ],
  [
    'no source',
    'policy can read secret/data/app',
    {},
    'vault-admin: no policies specified\n' +
      'To do: specify files, folders, stacks or a cluster (--cluster).',
  ],
  [
    'the name of a policy in place of a source',
    'policy can read secret/data/app --policy app',
    {},
    'vault-admin: no policies specified\n' +
      'To do: specify files, folders, stacks or a cluster (--cluster), among whose policies --policy selects by name.',
  ],
  [
    'an operation that does not exist',
    'policy can write secret/data/app app.hcl',
    {},
    "vault-admin: command-argument value 'write' is invalid for argument 'OPERATION'. Allowed choices are create, " +
      'read, update, patch, delete, list, recover.\n' +
      '(use --help for usage)',
  ],
  [
    'a source that does not exist',
    'policy can read a polices/app.hcl',
    {},
    'vault-admin: polices/app.hcl does not exist\n' +
      'It was looked for at FOLDER/polices/app.hcl.\n' +
      'To do: correct the path.',
  ],
  [
    'a misspelt file',
    'policy can read a ap.hcl',
    {},
    'vault-admin: ap.hcl does not exist\n' +
      'It was looked for at FOLDER/ap.hcl.\n' +
      'To do: write app.hcl.',
  ],
  [
    'a policy that no source has',
    'policy can read a app.hcl --policy ops',
    {},
    'vault-admin: policy "ops" not found\n' + 'Available: app.',
  ],
  [
    'a folder without policies',
    'policy can read a nothing',
    {},
    'vault-admin: nothing contains no ACL policy\n' +
      'Allowed: files that end with .hcl, .json, .policy, .tf, .tofu, .yaml, .yml, or the stacks of a synthesized app.\n' +
      'To do: name another file or folder.',
  ],
  [
    'an RGP in place of an ACL policy',
    'policy can read a app.sentinel',
    {},
    'vault-admin: app.sentinel is an RGP or EGP, and this command reads ACL policies\n' +
      'To do: "policy check" checks it.\n' +
      '"policy eval" evaluates it for one request.',
  ],
  [
    'a policy with a misspelt capability',
    'policy can read a broken.hcl',
    {},
    'vault-admin: broken.hcl:1:28: the policy cannot be parsed: path "a": invalid capability "raed"\n' +
      'To do: write "read".\n' +
      'vault-admin: the answer is for the other policies, and depends on "broken" as well\n' +
      'read a  denied: No rule matches the path.\n' +
      'By the rules of server version 1.21.0 (the default).',
  ],
  [
    'a policy that ends too early',
    'policy check open.hcl',
    {},
    'open.hcl:1:1: error: "}" is missing at the end of the block; to do: close the block with "}" [acl-error]\n' +
      '\n' +
      '1 policy checked, 1 error, 0 warnings',
  ],
  [
    'a folder in place of a file',
    'policy can read a app.hcl --identity nothing',
    {},
    'vault-admin: nothing cannot be read: it is a folder, not a file',
  ],
  [
    'a file that is not JSON',
    'policy can read a app.hcl --identity none.json',
    {},
    `vault-admin: none.json is not JSON: Unexpected token 'o', "not JSON\\n" is not valid JSON\n` +
      'Expected: {"entity": {"id": "…", "name": "…", "metadata": {…}, "aliases": […]}, "groups": […]}.',
  ],
  [
    'JSON that is not a plan',
    'policy diff --plan other.json',
    {},
    'vault-admin: other.json is not a plan in JSON\n' +
      'To do: pass what "terraform show -json <PLAN>" prints.',
  ],
  [
    'a plan that is not JSON',
    'plan-picture none.json',
    {},
    'vault-admin: none.json is not a plan in JSON\n' +
      'To do: pass what "terraform show -json <PLAN>" prints.',
  ],
  [
    'a plan that does not exist',
    'plan-picture plan.json',
    {},
    'vault-admin: plan.json cannot be read: it does not exist',
  ],
  [
    'only one source for a comparison',
    'policy diff app.hcl',
    {},
    'vault-admin: expected two sources: the old policies and the new ones\n' +
      'To do: specify both, or the new ones and --from-cluster.',
  ],
  [
    'a finding that does not exist',
    'policy lint app.hcl --ignore open-paths',
    {},
    'vault-admin: unknown finding "open-paths"\n' + 'Allowed: NAMES.\n' + 'To do: write open-path.',
  ],
  [
    'a finding to explain that does not exist',
    'policy lint --explain nothing',
    {},
    'vault-admin: unknown finding "nothing"\n' + 'Allowed: NAMES.',
  ],
  [
    'text in place of a version',
    'policy can read a app.hcl --server-version new',
    {},
    "vault-admin: option '--server-version <VERSION>' argument 'new' is invalid. Allowed are versions such as " +
      '1.21.0, or openbao-2.6 for OpenBao.\n' +
      '(use --help for usage)',
  ],
  [
    'text in place of a duration',
    'policy can read a app.hcl --wrap-ttl soon',
    {},
    "vault-admin: option '--wrap-ttl <DURATION>' argument 'soon' is invalid. Allowed are durations such as 90s, 5m " +
      'or 1h.\n' +
      '(use --help for usage)',
  ],
  [
    'a parameter without a value',
    'policy can read a app.hcl --data ttl',
    {},
    "vault-admin: option '--data <NAME=VALUE>' argument 'ttl' is invalid. Expected NAME=VALUE.\n" +
      '(use --help for usage)',
  ],
  [
    'an accessor without a cluster',
    'policy can read a app.hcl --token-accessor abc',
    {},
    'vault-admin: --token-accessor, --entity and --role require --cluster',
  ],
  [
    'tests that do not exist',
    'policy test nothing',
    {},
    'vault-admin: nothing: there are no tests and no Sentinel policies\n' +
      'To do: write the tests of NAME.sentinel as test/NAME/*.hcl beside it, and those of ACL policies as *.test.hcl.',
  ],
  [
    'an invalid regular expression',
    'policy test --run (',
    {},
    'vault-admin: --run: "(" is not a valid regular expression',
  ],
  [
    'an evaluation without a request',
    'policy eval app.sentinel',
    {},
    "vault-admin: required option '--request <FILE>' not specified\n" + '(use --help for usage)',
  ],
  [
    'an address on the command line without a scheme',
    'status --address vault.example:8200',
    {},
    'vault-admin: --address is not valid: received "vault.example:8200"; allowed: a URL such as ' +
      'https://vault.example.com:8200, without user name, query and fragment',
  ],
  [
    'an address beside stacks',
    'status --address https://vault.example --stacks nothing',
    {},
    "vault-admin: option '--address <URL>' cannot be used with option '--stacks [FOLDER]'\n" +
      '(use --help for usage)',
  ],
  [
    'a token file that does not exist',
    'status --token-file tokn',
    {},
    'vault-admin: --token-file: tokn cannot be read: it does not exist',
  ],
  [
    'an empty token file',
    'status --token-file empty.txt',
    {},
    'vault-admin: --token-file: empty.txt is empty; write the token into it',
  ],
  [
    'an address without a scheme',
    'status',
    { VAULT_ADDR: 'vault.example:8200' },
    'vault-admin: cluster "default": an environment variable is not valid\n' +
      'VAULT_ADDR is not valid: received "vault.example:8200"; allowed: a URL such as https://vault.example.com:8200, ' +
      'without user name, query and fragment.',
  ],
  [
    'an address that ends with /v1',
    'status',
    { VAULT_ADDR: 'https://vault.example:8200/v1' },
    'vault-admin: cluster "default": an environment variable is not valid\n' +
      'VAULT_ADDR is not valid: received "https://vault.example:8200/v1"; allowed: a URL such as ' +
      'https://vault.example.com:8200, without user name, query and fragment; remove /v1 from its end, which is added ' +
      'to each request.',
  ],
  [
    'no address',
    'status',
    // The file of the authority is not valid either, so that no connection to the port is tried.
    { VAULT_ADDR: '', VAULT_CACERT: 'ca.pem' },
    'default  https://127.0.0.1:8200\n' +
      '\n' +
      '? default: health: cannot use ca.pem for TLS: it holds no PEM certificate; check VAULT_CACERT',
  ],
  [
    'an address at which nothing listens',
    'status',
    { VAULT_ADDR: 'https://127.0.0.1:1' },
    'default  https://127.0.0.1:1\n' +
      '\n' +
      '? default: health: cannot look up sys/health on https://127.0.0.1:1: no connection could be made (connect ' +
      'ECONNREFUSED 127.0.0.1:1), tried 3 times. Check the address (VAULT_ADDR), that the server is running and ' +
      'listens there, and the network in between.',
  ],
  [
    'a host that does not exist',
    'status',
    { VAULT_ADDR: 'https://vault.invalid:8200' },
    'default  https://vault.invalid:8200\n' +
      '\n' +
      '? default: health: cannot look up sys/health on https://vault.invalid:8200: the host name cannot be resolved ' +
      '(getaddrinfo ENOTFOUND vault.invalid), tried 3 times. Check the address (VAULT_ADDR), that the server is ' +
      'running and listens there, and the network in between.',
  ],
  [
    'no token',
    'status',
    { VAULT_TOKEN: '' },
    'default  ADDRESS  1.21.0+ent\n' +
      '  replication disabled\n' +
      '  no token is given, so only replication was read\n' +
      '\n' +
      '? default: token: none is given; set VAULT_TOKEN, or pass --public to show only replication',
  ],
  [
    'a token that is not valid',
    'status',
    { VAULT_TOKEN: 'rot' },
    'default  ADDRESS  1.21.0+ent\n' +
      '  replication disabled\n' +
      '\n' +
      '? default: token: cannot look up auth/token/lookup-self on ADDRESS: the server answered 403 (permission denied; ' +
      'invalid token). The server does not know the token: it is wrong, expired, revoked, or belongs to another ' +
      'cluster or namespace. A cluster that joins a replication set revokes its tokens: use a login there.',
  ],
  [
    'a token with a line break',
    'status',
    { VAULT_TOKEN: 'root\n' },
    'vault-admin: cluster "default": an environment variable is not valid\n' +
      'VAULT_TOKEN contains characters that cannot be sent, such as a line break; allowed: printable ASCII; check how ' +
      'the value was read (it is not shown).',
  ],
  [
    'a CA file that does not exist',
    'status',
    { VAULT_CACERT: 'ca-us.pem' },
    'default  ADDRESS\n' +
      '\n' +
      '? default: health: cannot use ca-us.pem for TLS: it does not exist; check VAULT_CACERT',
  ],
  [
    'a CA file without a certificate',
    'status',
    { VAULT_CACERT: 'ca.pem' },
    'default  ADDRESS\n' +
      '\n' +
      '? default: health: cannot use ca.pem for TLS: it holds no PEM certificate; check VAULT_CACERT',
  ],
  [
    'the CA file of another server',
    'status',
    { VAULT_CACERT: 'other.pem' },
    'default  ADDRESS\n' +
      '\n' +
      "? default: health: cannot look up sys/health on ADDRESS: the server's certificate is not trusted (unable to " +
      'verify the first certificate). VAULT_CACERT is other.pem, without the certificate of the authority that signed ' +
      'it: set it to that certificate.',
  ],
  [
    'a CA file for the cluster by its own variable',
    'status',
    { VAULTADMIN_US_ADDR: 'https://127.0.0.1:1', VAULTADMIN_US_CACERT: 'ca.pem' },
    'us  https://127.0.0.1:1\n' +
      '\n' +
      '? us: health: cannot use ca.pem for TLS: it holds no PEM certificate; check VAULTADMIN_US_CACERT',
  ],
  [
    'no CA file',
    'status',
    { VAULT_CACERT: '' },
    'default  ADDRESS\n' +
      '\n' +
      "? default: health: cannot look up sys/health on ADDRESS: the server's certificate is not trusted (unable to " +
      'verify the first certificate). Set VAULT_CACERT to the certificate of the authority that signed it.',
  ],
  [
    'a namespace that does not exist',
    'status',
    { VAULT_NAMESPACE: 'taem' },
    'default  ADDRESS  1.21.0+ent\n' +
      '  replication disabled\n' +
      '\n' +
      '? default: token: cannot look up auth/token/lookup-self on ADDRESS in namespace "taem": the server answered 404 ' +
      '(no handler for route "taem/auth/token/lookup-self". route entry not found.). Namespace "taem" does not exist: ' +
      'create it first, or correct its name.',
  ],
  [
    'a cluster that is not described',
    'status --cluster us eu',
    {},
    'vault-admin: "us" is not described by the environment: VAULTADMIN_US_ADDR is not set\n' +
      'Described: none.',
  ],
  [
    'a cluster that is misspelt',
    'status --cluster su',
    { VAULTADMIN_US_ADDR: 'https://us.example' },
    'vault-admin: "su" is not described by the environment: VAULTADMIN_SU_ADDR is not set\n' +
      'Described: us.',
  ],
  [
    'stacks that were not synthesized',
    'doctor --stacks cdktf.out',
    {},
    'ok       Terraform: terraform 1.11.4\n' +
      "ok       Terraform's settings: defaults\n" +
      'doubt    stacks: no stacks found in cdktf.out: their requirements could not be determined\n' +
      '         to do: synthesize the app, or set --stacks to its output folder\n' +
      'ok       cluster "default": ADDRESS answers: 1.21.0+ent\n' +
      'ok       cluster "default": its token is "root", with root',
  ],
  [
    'an app to adopt into that does not exist',
    'adopt --into app',
    {},
    'vault-admin: no stacks found in app/cdktf.out, so the objects that they manage could not be determined\n' +
      'To do: synthesize the app, or set --stacks to its output folder.',
  ],
  [
    'an output that is a file',
    'adopt --output app.hcl',
    {},
    'vault-admin: app.hcl is not a folder\n' + 'Nothing was written. Name another one with --output.',
  ],
  [
    'a kind that does not exist',
    'adopt --only policy',
    {},
    "vault-admin: option '--only <KINDS>' argument 'policy' is invalid. Allowed are namespaces, policies, " +
      'managed-keys, snapshots, audit-devices, replication, separated by commas. ' +
      'Did you mean policies?\n' +
      '(use --help for usage)',
  ],
  [
    'an invalid address of a provider',
    'adopt --hcl --provider-source vaultadmin',
    {},
    "vault-admin: option '--provider-source <ADDRESS>' argument 'vaultadmin' is invalid. Allowed: " +
      'HOST/NAMESPACE/vaultadmin in lower case, with letters, digits and "-"; write for example ' +
      '"app.terraform.io/acme/vaultadmin".\n' +
      '(use --help for usage)',
  ],
  [
    'a namespace that cannot exist',
    'adopt --namespace sys',
    {},
    'vault-admin: --namespace "sys" cannot be the path of a namespace\n' +
      'Allowed: names separated by slashes, without white space, "+" or "*", other than ., .., root, sys, audit, auth, ' +
      'cubbyhole, identity; "*" at the end for all below.',
  ],
  [
    'text in place of a port',
    'emulator --cluster us=http',
    {},
    "vault-admin: option '--cluster <NAME[=PORT]>' argument 'us=http' is invalid. Allowed is NAME or NAME=PORT, with " +
      'letters, digits, "-" and "_" in the name, and a number as the port.\n' +
      '(use --help for usage)',
  ],
  [
    'a name that no cluster can have',
    'emulator --cluster us-east.1',
    {},
    "vault-admin: option '--cluster <NAME[=PORT]>' argument 'us-east.1' is invalid. Allowed is NAME or NAME=PORT, " +
      'with letters, digits, "-" and "_" in the name, and a number as the port.\n' +
      '(use --help for usage)',
  ],
  [
    'an old version of the server',
    'emulator --server-version 1.2',
    {},
    `vault-admin: option '--server-version <VERSION>' argument '1.2' is invalid. unknown server version "1.2": ` +
      'allowed are 1.13 to 2.x, as in 1.21.0+ent (enterprise) or 1.21.0 (open source).\n' +
      '(use --help for usage)',
  ],
  [
    'an assumption that does not exist',
    'emulator --assume nothing=all',
    {},
    `vault-admin: option '--assume <NAME=ALTERNATIVE|FILE>' argument 'nothing=all' is invalid. assumption "nothing" ` +
      'is unknown; allowed are NAMES.\n' +
      '(use --help for usage)',
  ],
  [
    'a seed that does not exist',
    'emulator --seed seed.json',
    {},
    'vault-admin: cannot read the seed seed.json: it does not exist',
  ],
  [
    'JSON that is not a seed',
    'emulator --seed other.json',
    {},
    'vault-admin: other.json is not a seed: "clusters" is missing; allowed: an object of lists of writes, by the ' +
      'names of the clusters',
  ],
  [
    'disposable clusters without confirmation',
    'verify --disposable us=https://us.test,eu=https://eu.test',
    {},
    'vault-admin: all data on the clusters us, eu may be lost\n' +
      'To do: add --confirm us,eu to confirm it.',
  ],
])('%s: %s', async (_, command, variables, text) => {
  const { code, stdout, stderr } = await vaultAdmin(
    command.split(' '),
    { ...VARIABLES, ...variables },
    folder,
  );
  expect({ code: code === 0, text: textOf(stderr + stdout) }).toEqual({ code: false, text });
});
