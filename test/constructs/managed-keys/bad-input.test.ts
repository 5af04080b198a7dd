import { Mount } from '@cdktf/provider-vault/lib/mount';
import { conditional, Fn, Lazy, TerraformLocal, TerraformStack, TerraformVariable, Token } from 'cdktf';
import {
  AclPolicy,
  KeySpec,
  GcpSignatureAlgorithm,
  KeyCurve,
  ManagedKey,
  ManagedKeyBackend,
  ManagedKeyUsage,
  Pkcs11Mechanism,
  SignatureHash,
  VaultCluster,
  ResourceProvider,
  VaultSecret,
  type AwsKmsKeyProps,
  type AzureKeyVaultKeyProps,
  type GcpCkmsKeyProps,
  type ManagedKeyProps,
  type Pkcs11KeyProps,
} from '../../../constructs';
import { failure, type Build } from '../support/bad-input';
import { synthesizeApp, warnings } from '../support/synthesize';

const CANARY = 'canary-secret';
const SECRET = VaultSecret.fromVariable('secret');

const key =
  (backend: ManagedKeyBackend, props: Partial<ManagedKeyProps> = {}): Build =>
  (stack, cluster) =>
    new ManagedKey(stack, 'K', { cluster, keyName: 'k', backend, ...props });
const pkcs11 = (props: Partial<Pkcs11KeyProps> = {}, common: Partial<ManagedKeyProps> = {}) =>
  key(
    ManagedKeyBackend.pkcs11({
      library: 'hsm',
      mechanism: Pkcs11Mechanism.RSA_PKCS_PSS,
      keyLabel: 'l',
      slot: '1',
      pin: SECRET,
      ...props,
    }),
    common,
  );
const aws = (props: Partial<AwsKmsKeyProps> = {}, common: Partial<ManagedKeyProps> = {}) =>
  key(ManagedKeyBackend.awsKms({ kmsKey: 'alias/k', keySpec: KeySpec.rsa(2048), ...props }), common);
const azure = (props: Partial<AzureKeyVaultKeyProps> = {}, common: Partial<ManagedKeyProps> = {}) =>
  key(ManagedKeyBackend.azureKeyVault({ tenantId: 't', vaultName: 'v', keyName: 'n', ...props }), common);
const gcp = (props: Partial<GcpCkmsKeyProps> = {}, common: Partial<ManagedKeyProps> = {}) =>
  key(
    ManagedKeyBackend.gcpCkms({
      keyRing: 'r',
      cryptoKey: 'k',
      algorithm: GcpSignatureAlgorithm.EC_SIGN_P256_SHA256,
      ...props,
    }),
    common,
  );
const generated: Partial<ManagedKeyProps> = { allowGenerateKey: true };

const inPlainText = (field: string): string =>
  `${field} is in plain text, and would be in the code, in the stack's files and in plans; ` +
  "allowed: a reference that Terraform resolves; write VaultSecret.fromVariable('name') and set TF_VAR_name";
const inPlainTextOrLeftOut = (field: string): string =>
  `${inPlainText(field)}, or leave it out and set it in the environment of the server`;

/**
 * By description, an invalid key, its error without the beginning, and a similar valid key. There
 * is one case for each kind of property, since the tests of the model cover all conditions.
 */
const CASES: Record<string, [bad: Build, message: string, good: Build]> = {
  'a name in upper case': [
    pkcs11({}, { keyName: 'Signing' }),
    'keyName must be lower case; received "Signing"; allowed: lower-case letters, since the server converts names to lower case; ' +
      'write "signing"',
    pkcs11({}, { keyName: 'signing' }),
  ],
  'an unknown usage': [
    pkcs11({}, { usages: ['seal' as ManagedKeyUsage] }),
    'usages contains a usage that does not exist; received "seal"; allowed: "encrypt", "decrypt", "sign", "verify", ' +
      '"wrap", "unwrap", "mac", "random"',
    pkcs11({}, { usages: [ManagedKeyUsage.WRAP] }),
  ],
  'no library': [pkcs11({ library: '' }), 'library must not be empty', pkcs11()],
  'slot and token': [
    pkcs11({ tokenLabel: 't' }),
    'slot conflicts with tokenLabel; received "1", with tokenLabel "t"; allowed: one of the two; remove slot or tokenLabel',
    pkcs11(),
  ],
  'generation of an ECDSA key without a curve': [
    pkcs11({ mechanism: Pkcs11Mechanism.ECDSA }, generated),
    'keySpec is required if allowGenerateKey is true and the mechanism is CKM_ECDSA',
    pkcs11({ mechanism: Pkcs11Mechanism.ECDSA, keySpec: KeySpec.ecc(KeyCurve.P256) }, generated),
  ],
  'generation of an RSA key without a size': [
    pkcs11({}, generated),
    'keySpec is required if allowGenerateKey is true and the mechanism is ' +
      'CKM_RSA_PKCS or CKM_RSA_PKCS_OAEP or CKM_RSA_PKCS_PSS',
    pkcs11({ keySpec: KeySpec.rsa(4096) }, generated),
  ],
  'the PIN itself': [pkcs11({ pin: CANARY }), inPlainText('pin'), pkcs11({ pin: SECRET })],
  'the access key itself': [
    aws({ accessKey: CANARY, secretKey: SECRET }),
    inPlainTextOrLeftOut('accessKey'),
    aws({ accessKey: SECRET, secretKey: SECRET }),
  ],
  'the secret key itself': [
    aws({ accessKey: SECRET, secretKey: CANARY }),
    inPlainTextOrLeftOut('secretKey'),
    aws(),
  ],
  'the client secret itself': [
    azure({ clientId: 'c', clientSecret: CANARY }),
    inPlainTextOrLeftOut('clientSecret'),
    azure({ clientId: 'c', clientSecret: SECRET }),
  ],
  'the credentials themselves': [
    gcp({ credentials: CANARY }),
    inPlainTextOrLeftOut('credentials'),
    gcp({ credentials: SECRET }),
  ],
  'a test signature over an unknown hash': [
    pkcs11({}, { testSign: { hashAlgorithm: 'md5' as SignatureHash } }),
    'testSign.hashAlgorithm must be one of the allowed values; received "md5"',
    pkcs11({}, { testSign: { hashAlgorithm: SignatureHash.SHA1 } }),
  ],
  'a test signature with PSS by an ECDSA key': [
    pkcs11({ mechanism: Pkcs11Mechanism.ECDSA }, { testSign: { usePss: true } }),
    'testSign.usePss is only for RSA keys, but the key is an ECDSA key',
    pkcs11({}, { testSign: { usePss: true } }),
  ],
  "a test signature that is not the algorithm's": [
    gcp({}, { testSign: { hashAlgorithm: SignatureHash.SHA2_512 } }),
    'testSign.hashAlgorithm does not match the key\'s algorithm; received "sha2-512"; allowed: "sha2-256"',
    gcp({}, { testSign: { hashAlgorithm: SignatureHash.SHA2_256 } }),
  ],
};

test.each(Object.keys(CASES))('a ManagedKey fails for %s', (what) => {
  const [bad, message, good] = CASES[what]!;
  const error = failure(ResourceProvider.UPSTREAM, bad);
  expect(error).toMatch(/^\[stack\/K\] managed key "[^"]+": /);
  expect(error.slice(error.indexOf(': ') + 2).slice(0, message.length)).toBe(message);
  expect(error).not.toContain(CANARY);
  synthesizeApp((app) => {
    const stack = new TerraformStack(app, 'stack');
    good(stack, new VaultCluster(stack, 'Cluster'));
  });
});

test('a ManagedKey reports all problems at once', () => {
  expect(
    failure(ResourceProvider.UPSTREAM, pkcs11({ slot: undefined, keyLabel: undefined, pin: CANARY })),
  ).toBe(
    '[stack/K] managed key "k": keyLabel or keyId is required; allowed: the label of the key, or its id; ' +
      'set keyLabel or keyId\n' +
      '[stack/K] managed key "k": slot or tokenLabel is required; allowed: the number of the slot, or the label of its ' +
      'token; set slot or tokenLabel\n' +
      `[stack/K] managed key "k": ${inPlainText('pin')}`,
  );
});

test('two constructs that write the same key fail at synthesis, even with different backends', () => {
  const build: Build = (stack, cluster) => {
    pkcs11()(stack, cluster);
    const backend = ManagedKeyBackend.awsKms({ kmsKey: 'k', keySpec: KeySpec.rsa(2048) });
    new ManagedKey(stack, 'L', { cluster, keyName: 'k', backend });
  };
  expect(failure(ResourceProvider.UPSTREAM, build)).toBe(
    '[stack/L] managed key "k" on cluster "default" is written by [stack/K] already; ' +
      'give one of the two another keyName, or refer to the other one with fromManagedKeyAttributes',
  );
});

test.each([
  ['a token', () => Lazy.stringValue({ produce: () => CANARY })],
  ['a function of text', () => Fn.join('', [CANARY])],
])('a secret that is only %s fails at synthesis', (_what, pin) => {
  const error = failure(ResourceProvider.UPSTREAM, (stack, cluster) =>
    pkcs11({ pin: pin() })(stack, cluster),
  );
  expect(error).toContain('managed key "k": pin is in plain text');
  expect(error).not.toContain(CANARY);
});

describe('a text beside a reference to a secret', () => {
  const variable = () => VaultSecret.fromVariable('pin');

  test.each([
    ['before it', () => `${CANARY}${variable()}`],
    ['after it', () => `${variable()}${CANARY}`],
    ['between two', () => `${variable()}${CANARY}${VaultSecret.fromVariable('more')}`],
    ['beside an expression of Terraform', () => `${CANARY}:\${var.pin}`],
    ['in a directive', () => `%{ if var.long }${CANARY}%{ endif }\${var.pin}`],
    ['that looks like an expression', () => `$\${${CANARY}}${variable()}`],
  ])('the text is an error of the synthesis, which does not contain it: %s', (_where, pin) => {
    const error = failure(ResourceProvider.UPSTREAM, (stack, cluster) =>
      pkcs11({ pin: pin() })(stack, cluster),
    );
    expect(error).toContain(
      'managed key "k": pin contains text in addition to its reference, which would be in the code, in the stack\'s files and in plans; ' +
        'allowed: references that Terraform resolves, with nothing but punctuation between them; ' +
        "write the text into the variable of VaultSecret.fromVariable('name'), or into a separate variable",
    );
    expect(error).not.toContain(CANARY);
  });
});

describe('a reference that may lead to text of the code', () => {
  test.each([
    ['a local value', (stack: TerraformStack) => new TerraformLocal(stack, 'pin', CANARY).asString],
    ['a local value by its name', () => '${local.pin}'],
    ['a default', () => `\${coalesce(var.pin, "${CANARY}")}`],
    ['a default of a function', () => `\${lookup(var.pins, "a", "${CANARY}")}`],
    ['a call of try', () => `\${try(var.pin, "${CANARY}")}`],
    ['a condition', () => `\${var.long ? "${CANARY}" : var.pin}`],
    ['a condition of the framework', () => Token.asString(conditional('${var.long}', CANARY, '${var.pin}'))],
    ['a heredoc', () => `\${trimspace(<<EOT\n${CANARY} \${var.pin}\nEOT\n)}`],
    ['a number', () => '${12345678}'],
    ['a number with a point', () => '${1234.5678}'],
    ['a sum', () => '${var.pin + 12345678}'],
    ['a format', () => `\${format("${CANARY}%s", var.pin)}`],
    ['a replacement', () => `\${replace(var.pin, "x", "${CANARY}")}`],
    ['a quoted text within a text', () => `\${"\${"${CANARY}"}\${var.pin}"}`],
    ['a list', () => `\${join("", ["${CANARY}", var.pin])}`],
    ['a separator', () => `\${join("${CANARY}", var.pins)}`],
    ['an object', () => `\${{ pin = "${CANARY}", other = var.pin }.pin}`],
    ['a for expression', () => `\${[for pin in ["${CANARY}"] : pin if var.pin != ""][0]}`],
    ['a comment', () => `\${var.pin /* ${CANARY} */}`],
    ['a loop', () => '${each.value}'],
    ['a terraform_data resource', () => '${terraform_data.pin.output}'],
    ['a terraform_data resource with its full address', () => '${resource.terraform_data.pin.output}'],
    ['a file', () => '${file("pin.txt")}'],
    ['a file by the framework', () => Fn.file('/run/secrets/pin')],
    ['a file in base64', () => '${base64decode(filebase64("pin.txt"))}'],
    ['a file beside a reference', () => '${var.user}${file("pin.txt")}'],
    ['a file that is the default', () => '${coalesce(var.pin, file("pin.txt"))}'],
    ['a file of a data source', () => '${data.local_file.pin.content}'],
    ['a file of a sensitive data source', () => '${data.local_sensitive_file.pin.content}'],
    ['a file of a resource', () => '${local_file.pin.content}'],
    ['an input of a data source', () => '${data.null_data_source.pin.outputs["pin"]}'],
    ['a regular expression', () => `\${regex("${CANARY}", var.pin)}`],
    ['a regular expression with a group', () => `\${regex("(${CANARY})", var.pin)[0]}`],
    ['a regular expression within a function', () => `\${trimspace(regex("${CANARY}", var.pin))}`],
    ['all matches of a regular expression', () => `\${one(regexall("${CANARY}", var.pin))}`],
    ['a format of text', () => `\${format("%s", "${CANARY}")}`],
    ['text in JSON', () => `\${jsonencode("${CANARY}")}\${var.pin}`],
    ['text after references in a text', () => `\${substr("${CANARY}\${var.pin}", 0, 13)}`],
    ['text in a template in a function', () => `\${trimspace("${CANARY}\${var.pin}")}`],
    ['text before the reference in a list', () => `\${coalesce("${CANARY}", var.pin)}`],
    ['a text within parentheses', () => `\${("${CANARY}")}\${var.pin}`],
    ['letters as escapes', () => String.raw`${'${'}"\u0063\u0061"}${'${'}var.pin}`],
    ['symbols that are neither letters nor punctuation', () => '🔑🔑🔑${var.pin}'],
    ['a key of an object', () => `\${keys({ "${CANARY}" = var.pin })[0]}`],
    ['a file made of text', () => `\${templatefile("/a.b", { pin = "${CANARY}" })}`],
    ['an encoding of text', () => `\${base64decode("${btoa(CANARY)}")}\${var.pin}`],
    ['a function of a provider', () => `\${provider::text::echo("${CANARY}", var.pin)}`],
    ['text that is marked as not sensitive', () => `\${nonsensitive("${CANARY}")}`],
    ['text that is marked as sensitive', () => `\${sensitive("${CANARY}")}`],
    ['text as a template', () => `\${templatestring("${CANARY}", { pin = var.pin })}`],
    ['text in YAML', () => `\${yamldecode("${CANARY}")}`],
    ['text in a table', () => `\${csvdecode("pin\\n${CANARY}")[0].pin}`],
    ['values that are zipped with names', () => `\${zipmap(["pin"], ["${CANARY}"])["pin"]}`],
    ['an object that is merged', () => `\${merge(var.pins, { pin = "${CANARY}" })["pin"]}`],
    ['the only element of a list', () => `\${one(["${CANARY}"])}`],
    ['text that is cut off', () => `\${trimsuffix("${CANARY}-x", var.pin)}`],
    ['text that is reversed twice', () => `\${strrev(strrev("${CANARY}"))}`],
    ['text in a set', () => `\${one(setsubtract(["${CANARY}"], [var.pin]))}`],
    ['a list that is split', () => `\${split(",", "${CANARY}")[0]}`],
  ])('the reference is an error, which does not contain the text: %s', (_what, pin) => {
    const error = failure(ResourceProvider.UPSTREAM, (stack, cluster) =>
      pkcs11({ pin: pin(stack) })(stack, cluster),
    );
    expect(error).toMatch(
      /pin (is in plain text|contains text in addition|is an expression that may hold text of the code)/,
    );
    expect(error).not.toContain(CANARY);
  });
});

test.each([
  ['an element by its index', () => '${var.pins["a"]}'],
  ['an attribute of another resource', () => '${random_password.pin.result}'],
  ['an attribute of a resource with its full address', () => '${resource.random_password.pin.result}'],
  ['an element of a module', () => '${module.hsm[0].pins.main}'],
  [
    'an attribute of one of several resources',
    () => '${coalesce(var.pin, data.vault_kv_secret_v2.hsm.data["pin"])}',
  ],
  ['a list of references', () => '${join(":", [var.user, var.pin])}'],
  ['a text that consists of references', () => '${"${var.user}:${var.pin}"}'],
  ['functions of functions', () => '${trimspace( base64decode( sensitive( var.pin ) ) )}'],
  ['a reference with a line break after it', () => `${VaultSecret.fromVariable('pin')}\n`],
  ['two references', () => `${VaultSecret.fromVariable('user')}${VaultSecret.fromVariable('pin')}`],
  ['an expression with braces and texts', () => '${jsondecode(var.users)["a}"]}'],
  ['a function of a variable', () => Fn.trimspace(VaultSecret.fromVariable('pin'))],
  [
    'a text that begins with a variable',
    () => `${VaultSecret.fromVariable('user')}:${VaultSecret.fromVariable('pin')}`,
  ],
])('a ManagedKey accepts a secret that is %s', (_what, pin) => {
  synthesizeApp((app) => {
    const stack = new TerraformStack(app, 'stack');
    pkcs11({ pin: pin() })(stack, new VaultCluster(stack, 'Cluster'));
  });
});

describe('a reference to an attribute that the code sets', () => {
  const mount = (stack: TerraformStack, description: string) =>
    new Mount(stack, 'Kv', { path: 'kv', type: 'kv', description });

  test.each<[what: string, pin: (stack: TerraformStack) => string]>([
    ['sets it to a literal', (stack) => mount(stack, CANARY).descriptionInput as string],
    [
      'sets it to a literal, with a reference by name',
      (stack) => (mount(stack, CANARY), '${vault_mount.Kv.description}'),
    ],
    [
      'sets it to a literal, with a full address',
      (stack) => (mount(stack, CANARY), '${resource.vault_mount.Kv.description}'),
    ],
    [
      'sets it to a literal, within a function',
      (stack) => (mount(stack, CANARY), '${trimspace(vault_mount.Kv.description)}'),
    ],
    [
      'sets it to a literal and a reference',
      (stack) => (mount(stack, `${CANARY}\${var.x}`), '${vault_mount.Kv.description}'),
    ],
    ['sets it to a local value', (stack) => (mount(stack, '${local.x}'), '${vault_mount.Kv.description}')],
    [
      'sets it to another attribute that the code sets',
      (stack) => {
        new Mount(stack, 'Other', { path: 'kv', type: 'kv', description: CANARY });
        mount(stack, '${vault_mount.Other.description}');
        return '${vault_mount.Kv.description}';
      },
    ],
    [
      'sets it to itself',
      (stack) => (mount(stack, '${vault_mount.Kv.description}'), '${vault_mount.Kv.description}'),
    ],
    [
      'sets it with an escape hatch',
      (stack) => (
        mount(stack, '${var.x}').addOverride('description', CANARY),
        '${vault_mount.Kv.description}'
      ),
    ],
    [
      'sets it to a map',
      (stack) => {
        new Mount(stack, 'Kv', { path: 'kv', type: 'kv', options: { pin: CANARY } });
        return '${vault_mount.Kv.options["pin"]}';
      },
    ],
  ])('the reference is an error, which does not contain the text: %s', (_what, pin) => {
    const error = failure(ResourceProvider.UPSTREAM, (stack, cluster) => {
      cluster.providerFor(stack);
      return pkcs11({ pin: pin(stack) })(stack, cluster);
    });
    expect(error).toMatch(
      /pin (is in plain text|refers to (resource\.)?vault_mount\.Kv\.\w+, which the code sets itself)/,
    );
    expect(error).not.toContain(CANARY);
  });

  test.each<[what: string, pin: (stack: TerraformStack) => string]>([
    [
      'an attribute that is set to a variable',
      (stack) => (mount(stack, '${var.x}'), '${vault_mount.Kv.description}'),
    ],
    [
      'an attribute that the code does not set',
      (stack) => (mount(stack, CANARY), '${vault_mount.Kv.accessor}'),
    ],
    [
      'an attribute of a resource with another name',
      (stack) => (mount(stack, CANARY), '${vault_mount.Kw.description}'),
    ],
    [
      'an attribute of a data source with its name',
      (stack) => (mount(stack, CANARY), '${data.vault_mount.Kv.description}'),
    ],
  ])('the reference is accepted: %s', (_what, pin) => {
    synthesizeApp((app) => {
      const stack = new TerraformStack(app, 'stack');
      const cluster = new VaultCluster(stack, 'Cluster');
      cluster.providerFor(stack);
      pkcs11({ pin: pin(stack) })(stack, cluster);
    });
  });
});

test('a secret of another stack fails at synthesis', () => {
  const build = () =>
    synthesizeApp((app) => {
      const cluster = new VaultCluster(app, 'Cluster');
      const variable = new TerraformVariable(new TerraformStack(app, 'one'), 'hsm_pin', { sensitive: true });
      pkcs11({ pin: variable.stringValue })(new TerraformStack(app, 'two'), cluster);
    });
  expect(build).toThrow(
    '[two/K/Resource] managed key "k": pin refers to another stack, whose state would hold it in plain text; ' +
      "allowed: a reference within the stack; write VaultSecret.fromVariable('pin'), " +
      'which every stack takes from a variable of its own',
  );
});

test('a mount in another namespace is refused', () => {
  const build: Build = (stack, cluster) => {
    const provider = cluster.providerFor(stack);
    const mount = new Mount(stack, 'Pki', { provider, path: 'pki', type: 'pki', namespace: 'team' });
    (pkcs11()(stack, cluster) as ManagedKey).allowOn(mount);
  };
  expect(failure(ResourceProvider.UPSTREAM, build)).toBe(
    '[stack/Pki] the mount is in namespace "team", the managed key "k" in ""; allowed: a mount in the namespace of the ' +
      'key; create the key in the namespace of the mount, or the mount in the namespace of the key',
  );
});

test('a grant in a namespace that the policy does not reach is refused', () => {
  const build: Build = (stack, cluster) => {
    const policy = new AclPolicy(stack, 'P', { cluster, policyName: 'p', namespace: 'team' });
    (pkcs11({}, { namespace: 'teams' })(stack, cluster) as ManagedKey).grantManage(policy);
  };
  expect(failure(ResourceProvider.UPSTREAM, build)).toBe(
    '[stack/P] a policy in namespace "team" cannot permit anything in namespace "teams"; ' +
      'allowed: its own namespace and its child namespaces; create the policy in the namespace of the object, or in a parent',
  );
});

test('a secret that is the default of a variable fails at synthesis', () => {
  const build = (text: string) => () =>
    synthesizeApp((app) => {
      const stack = new TerraformStack(app, 'stack');
      const variable = new TerraformVariable(stack, 'hsm_pin', { type: 'string', default: text });
      pkcs11({ pin: variable.stringValue })(stack, new VaultCluster(stack, 'Cluster'));
    });
  expect(build(CANARY)).toThrow(
    '[stack/K/Resource] managed key "k": pin comes from the variable hsm_pin, whose default is in plain text in ' +
      'the code; remove the default and set TF_VAR_hsm_pin',
  );
  expect(build('')).not.toThrow();
});

test('a ManagedKey has no warning if the credentials of Google are a reference', () => {
  expect(
    warnings((stack) => gcp({ credentials: SECRET })(stack, new VaultCluster(stack, 'Cluster'))),
  ).toEqual([]);
});

test.each([
  ['a variable that is only sensitive', {}, 1],
  ['a variable that is ephemeral', { ephemeral: true }, 0],
])('a secret from %s has a warning if saved plans contain its value', (_what, overrides, times) => {
  const warned = warnings((stack) => {
    const variable = new TerraformVariable(stack, 'hsm_pin', { type: 'string', sensitive: true });
    for (const [name, value] of Object.entries(overrides)) variable.addOverride(name, value);
    pkcs11({ pin: variable.stringValue })(stack, new VaultCluster(stack, 'Cluster'));
  });
  expect(warned).toEqual(
    Array<string>(times).fill(
      'stack/K/Resource: managed key "k": pin comes from the variable hsm_pin, whose value is in plain text in saved plans; ' +
        "write VaultSecret.fromVariable('hsm_pin') without declaring it, or make it ephemeral",
    ),
  );
});
