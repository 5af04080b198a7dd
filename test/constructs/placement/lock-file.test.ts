import { withinTime } from '../../support/within-time';
import { lockEntry, lockProvider, type RequiredProvider } from '../../../constructs/placement/lock-file';

const OURS = { source: 'host.internal/ns/ours', version: '1.2.3', hashes: ['h1:new'] };
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
/** A lock file in the form of terraform init. */
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

test('a new lock file contains the provider with its hash', () => {
  expect(lockProvider('', OURS, [])).toBe(HEADER + OUR_ENTRY);
});

test('an entry has each hash once, in the order of terraform', () => {
  const hashes = ['zh:b', 'h1:b', 'h1:B', 'h1:b'];
  expect(lockEntry('host.internal/ns/ours', { version: '1.2.3', hashes })).toBe(
    'provider "host.internal/ns/ours" {\n  version     = "1.2.3"\n  constraints = "1.2.3"\n' +
      '  hashes = [\n    "h1:B",\n    "h1:b",\n    "zh:b",\n  ]\n}\n',
  );
});

test('an older entry of the provider is replaced', () => {
  const before = HEADER + OUR_ENTRY.replaceAll('1.2.3', '1.2.2').replace('h1:new', 'h1:old') + VAULT_ENTRY;
  expect(lockProvider(before, OURS, [])).toBe(HEADER + OUR_ENTRY + VAULT_ENTRY);
});

test('locks of other providers stay unchanged', () => {
  const before = HEADER + VAULT_ENTRY;
  expect(lockProvider(before, OURS, [vault('~> 5.6')])).toBe(HEADER + OUR_ENTRY + VAULT_ENTRY);
});

test('a second synthesis changes nothing', () => {
  const once = lockProvider(HEADER + VAULT_ENTRY, OURS, [
    vault('~> 5.6'),
    { source: 'aws', version: '6.0.0' },
  ]);
  expect(lockProvider(once, OURS, [vault('~> 5.6'), { source: 'aws', version: '6.0.0' }])).toBe(once);
});

test('a provider that terraform init has not locked yet is only named in a comment, for the cdktf command line', () => {
  const locked = lockProvider('', OURS, [vault('~> 5.6'), { source: 'acme/thing' }]);
  expect(locked).toBe(
    HEADER +
      OUR_ENTRY +
      '\n/* For the cdktf command line, until "terraform init" has chosen versions.\n' +
      'provider "registry.terraform.io/hashicorp/vault" {\n  constraints = ""\n}\n' +
      'provider "registry.terraform.io/acme/thing" {\n  constraints = ""\n}\n*/\n',
  );
  // There is no comment once terraform init has written the entry.
  expect(lockProvider(HEADER + OUR_ENTRY + VAULT_ENTRY, OURS, [vault('~> 5.6')])).not.toContain('/*');
});

test.each([
  ['~> 5.6', '~>5.6', '~> 5.6'],
  ['5.6.0', '= 5.6', 'v5.6.0'],
  ['>= 5.0.0', '>= 5', '>=5.0'],
  ['>= 5.0.0, < 6.0.0', '< 6, >= 5.0', '>=5,<6.0.0'],
  ['5.6.0-beta1', '5.6.0-beta1', '= v5.6.0-beta1'],
])('an entry for %s stays if the stack requires the same version as %s or %s', (written, ...asked) => {
  const before = HEADER + OUR_ENTRY + VAULT_ENTRY.replace('~> 5.6', written);
  for (const version of asked) expect(lockProvider(before, OURS, [vault(version)])).toBe(before);
});

test.each(['~> 5.6.0', '~> 5', '5.6.0', '>= 5.6', '~> 5.6, < 5.9', undefined])(
  'an entry for ~> 5.6 is removed if the stack requires version %s',
  (asked) => {
    const locked = lockProvider(HEADER + VAULT_ENTRY, OURS, [vault(asked)]);
    expect(locked).not.toContain('5.11.0');
    expect(locked).toContain('  constraints = ""\n');
  },
);

test('an entry without constraints is kept if the stack requires no version of the provider', () => {
  const entry = VAULT_ENTRY.replace(/ *constraints.*\n/, '');
  const locked = lockProvider(HEADER + entry, OURS, [vault()]);
  expect(locked).toContain(HEADER + OUR_ENTRY + entry);
  expect(locked).toContain('  constraints = ""\n');
  expect(lockProvider(locked, OURS, [vault()])).toBe(locked);
});

test.each([
  ['vault', 'registry.terraform.io/hashicorp/vault'],
  ['acme/Thing', 'registry.terraform.io/acme/thing'],
  ['reg.acme.com/a/thing', 'reg.acme.com/a/thing'],
])('the source %s is the address %s', (source, address) => {
  expect(lockProvider('', OURS, [{ source, version: '1.0.0' }])).toContain(`provider "${address}" {`);
});

test.each<[what: string, text: string]>([
  ['comments without end', '/* '],
  ['entries without end', 'provider "registry.terraform.io/hashicorp/vault" {\n'],
  ['an entry of empty lines', '\n'],
])('the synthesis reads a lock file of 4 MiB with %s once', (what, text) => {
  const many = text.repeat((4 * 2 ** 20) / text.length);
  const lockFile = what.startsWith('an entry') ? VAULT_ENTRY.replace('{', `{${many}`) : many;
  const version = what.startsWith('an entry') ? '~> 5.6' : undefined;
  const locked = withinTime(() => lockProvider(lockFile, OURS, [vault(version)]));
  expect(locked).toContain(OUR_ENTRY);
});
