import { lockProvider, type RequiredProvider } from '../../../constructs/placement/lock-file';

const OURS = { source: 'host.internal/ns/ours', version: '1.2.3', hash: 'h1:new' };
const HEADER =
  '# This file is maintained automatically by "terraform init".\n# Manual edits may be lost in future updates.\n';
const OUR_ENTRY = `
provider "host.internal/ns/ours" {
  version     = "1.2.3"
  constraints = "1.2.3"
  hashes = [
    "h1:new",
  ]
}
`;
/** As terraform init writes it. */
const VAULT_ENTRY = `
provider "registry.terraform.io/hashicorp/vault" {
  version     = "5.11.0"
  constraints = "~> 5.6"
  hashes = [
    "h1:abc",
    "zh:def",
  ]
}
`;
const vault = (version?: string): RequiredProvider => ({ source: 'hashicorp/vault', version });

test('a new lock file locks the provider to its hash', () => {
  expect(lockProvider('', OURS, [])).toBe(HEADER + OUR_ENTRY);
});

test('an older entry of the provider is replaced', () => {
  const before = HEADER + OUR_ENTRY.replaceAll('1.2.3', '1.2.2').replace('h1:new', 'h1:old') + VAULT_ENTRY;
  expect(lockProvider(before, OURS, [])).toBe(HEADER + OUR_ENTRY + VAULT_ENTRY);
});

test('what terraform locked of other providers stays', () => {
  const before = HEADER + VAULT_ENTRY;
  expect(lockProvider(before, OURS, [vault('~> 5.6')])).toBe(HEADER + OUR_ENTRY + VAULT_ENTRY);
});

test('locking again changes nothing', () => {
  const once = lockProvider(HEADER + VAULT_ENTRY, OURS, [
    vault('~> 5.6'),
    { source: 'aws', version: '6.0.0' },
  ]);
  expect(lockProvider(once, OURS, [vault('~> 5.6'), { source: 'aws', version: '6.0.0' }])).toBe(once);
});

test.each([
  ['5.6.0', '5.6.0', '5.6.0'],
  ['= 5.6.1', '5.6.1', '5.6.1'],
  ['v5.6.1', '5.6.1', '5.6.1'],
  ['5.6.0-beta1', '5.6.0-beta1', '5.6.0-beta1'],
  ['~> 5.6', '5.6.0', '~> 5.6'],
  ['~>5.6.2', '5.6.2', '~> 5.6.2'],
  ['>= 5', '5.0.0', '>= 5.0.0'],
])('another provider without an entry, asked for as %s, is locked to %s', (asked, version, constraints) => {
  const entry = `
provider "registry.terraform.io/hashicorp/vault" {
  version     = "${version}"
  constraints = "${constraints}"
}
`;
  expect(lockProvider('', OURS, [vault(asked)])).toBe(HEADER + OUR_ENTRY + entry);
});

test.each([undefined, '< 6.0', '!= 5.7.0', '>= 5.0, < 6.0'])(
  'another provider asked for as %s is left to terraform init',
  (asked) => {
    expect(lockProvider('', OURS, [vault(asked)])).toBe(HEADER + OUR_ENTRY);
  },
);

test('an entry for other versions than those asked for gives way', () => {
  const locked = lockProvider(HEADER + VAULT_ENTRY, OURS, [vault('5.6.0')]);
  expect(locked).toContain('version     = "5.6.0"');
  expect(locked).not.toContain('5.11.0');
});

test.each([
  ['vault', 'registry.terraform.io/hashicorp/vault'],
  ['acme/Thing', 'registry.terraform.io/acme/thing'],
  ['reg.acme.com/a/thing', 'reg.acme.com/a/thing'],
])('the source %s is the address %s', (source, address) => {
  expect(lockProvider('', OURS, [{ source, version: '1.0.0' }])).toContain(`provider "${address}" {`);
});
