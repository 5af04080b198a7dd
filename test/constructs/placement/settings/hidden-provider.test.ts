import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hiddenProvider, type Hidden } from '../../../../constructs/placement/settings/hidden-provider';
import { inFolder } from '../../support/synthesize';

const PROVIDER = { source: 'host.internal/ns/ours', version: '1.2.3' };

/** Returns how the given settings of Terraform hide the provider from a stack, or `undefined`. */
function hidden(settings: string): Hidden | undefined {
  return inFolder((folder) => {
    const stack = join(folder, 'stack');
    mkdirSync(join(stack, 'terraform.d', 'plugins', PROVIDER.source, PROVIDER.version), { recursive: true });
    mkdirSync(join(folder, 'elsewhere', PROVIDER.source, '1.0.0'), { recursive: true });
    mkdirSync(join(folder, 'packed', PROVIDER.source), { recursive: true });
    writeFileSync(
      join(folder, 'packed', PROVIDER.source, 'terraform-provider-ours_1.2.3_linux_amd64.zip'),
      '',
    );
    const file = join(folder, 'rc');
    writeFileSync(file, settings.replaceAll('FOLDER', folder));
    const found = hiddenProvider(PROVIDER, stack, { TF_CLI_CONFIG_FILE: file });
    return (
      found && {
        text: found.text.replaceAll(folder, 'FOLDER'),
        cure: found.cure.replaceAll(folder, 'FOLDER'),
      }
    );
  });
}

const TEXT =
  'provider_installation in FOLDER/rc keeps "terraform init" from finding the provider in FOLDER/stack/terraform.d/plugins';
const MIRROR =
  'add filesystem_mirror { path = "terraform.d/plugins" include = ["host.internal/*/*"] } to it (the same for all stacks)';
const EXCLUDE = 'add "host.internal/*/*" to the list "exclude" of its direct';
const installation = (...methods: string[]) => `provider_installation {\n${methods.join('\n')}\n}\n`;
const OURS = `filesystem_mirror {
  path    = "terraform.d/plugins"
  include = ["host.internal/*/*"]
}`;

test.each([
  ['no settings', ''],
  [
    'settings without provider_installation',
    'plugin_cache_dir = "/tmp"\ncredentials "x.example.com" { token = "t" }\n',
  ],
  [
    'a block in comments',
    '# provider_installation {}\n// provider_installation {}\n/* provider_installation {} */\n',
  ],
  ['the mirror that the advice asks for', installation(OURS, 'direct { exclude = ["host.internal/*/*"] }')],
  ['a mirror for all', installation('filesystem_mirror { path = "terraform.d/plugins" }')],
  ['an absolute path', installation('filesystem_mirror { path = "FOLDER/stack/terraform.d/plugins" }')],
  ['a mirror of packed providers', installation('filesystem_mirror { path = "FOLDER/packed" }')],
  ['patterns in upper case', installation(OURS, 'direct { exclude = ["HOST.internal/NS/*"] }')],
  [
    'direct for other providers',
    installation(OURS, 'direct { include = ["registry.terraform.io/*/*", "a/b"] }'),
  ],
  [
    'a network mirror that includes the provider',
    installation('network_mirror {\n url = "https://m/"\n include = ["host.internal/*/*"]\n}'),
  ],
  ['a network mirror beside ours', installation(OURS, 'network_mirror { url = "https://m.example.com/" }')],
  ['an override', installation('dev_overrides { "host.internal/ns/ours" = "/src" }', 'direct {}')],
  [
    'the JSON form',
    '{"provider_installation": [{"filesystem_mirror": [{"path": "terraform.d/plugins"}], "direct": [{"exclude": ["host.internal/*/*"]}]}]}',
  ],
  ['invalid HCL, which Terraform itself reports', 'provider_installation {'],
])('the provider is not hidden: %s', (_what, settings) => {
  expect(hidden(settings)).toBeUndefined();
});

test.each([
  ['an empty block', installation(), MIRROR],
  ['direct', installation('direct {}'), `${MIRROR}, and ${EXCLUDE}`],
  ['direct, without our mirror', installation('direct { exclude = ["host.internal/*/*"] }'), MIRROR],
  ['direct, beside our mirror', installation(OURS, 'direct {}'), EXCLUDE],
  ['a mirror with another version', installation('filesystem_mirror { path = "FOLDER/elsewhere" }'), MIRROR],
  [
    'a mirror for other providers',
    installation('filesystem_mirror {\n path = "terraform.d/plugins"\n include = ["a/b"]\n}'),
    MIRROR,
  ],
  [
    'a network mirror',
    installation('network_mirror { url = "https://m.example.com/" }'),
    `${MIRROR}, and add "host.internal/*/*" to the list "exclude" of its network_mirror`,
  ],
  [
    'an override of another provider',
    installation('dev_overrides { "host.internal/ns/theirs" = "/src" }'),
    MIRROR,
  ],
  ['the JSON form', '{"provider_installation": [{"direct": [{}]}]}', `${MIRROR}, and ${EXCLUDE}`],
])('the provider is hidden by %s', (_what, settings, cure) => {
  expect(hidden(settings)).toEqual({ text: TEXT, cure });
});

test.each(['/gone/rc', __dirname])('settings that cannot be read do not hide the provider: %s', (file) => {
  expect(hiddenProvider(PROVIDER, '/stack', { TF_CLI_CONFIG_FILE: file })).toBeUndefined();
});

test('a relative path in TF_CLI_CONFIG_FILE is relative to the folder of the stack', () => {
  inFolder((stack) => {
    writeFileSync(join(stack, 'rc'), installation('direct {}'));
    expect(hiddenProvider(PROVIDER, stack, { TF_CLI_CONFIG_FILE: 'rc' })?.text).toContain(join(stack, 'rc'));
  });
});
