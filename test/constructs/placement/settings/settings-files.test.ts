import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { settingsFiles } from '../../../../constructs/placement/settings/settings-files';
import { inFolder } from '../../support/synthesize';

/** Creates files below a home folder, and returns those that are read as settings. */
function read(files: readonly string[], env: (home: string) => NodeJS.ProcessEnv = () => ({})): string[] {
  return inFolder((home) => {
    for (const file of files) {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), '');
    }
    return settingsFiles({ HOME: home, ...env(home) }).map((file) => file.replace(`${home}/`, ''));
  });
}

const ALL = [
  '.terraformrc',
  '.tofurc',
  'xdg/opentofu/tofurc',
  '.terraform.d/mirrors.tfrc',
  '.terraform.d/more.tfrc.json',
  '.terraform.d/credentials.json',
];
const named = (name: string) => (home: string) => ({
  TERRAFORM_BINARY_NAME: name,
  XDG_CONFIG_HOME: join(home, 'xdg'),
});

test('no settings file is read if the user has none', () => {
  expect(read([])).toEqual([]);
  expect(settingsFiles({ HOME: '/gone' })).toEqual([]);
});

test('a file in place of the folder of settings is ignored', () => {
  expect(read(['.terraform.d'])).toEqual([]);
});

test("Terraform's own settings file is read, and the files of its folder", () => {
  const expected = ['.terraformrc', '.terraform.d/mirrors.tfrc', '.terraform.d/more.tfrc.json'];
  expect(read(ALL)).toEqual(expected);
  expect(read(ALL, named('/opt/terraform'))).toEqual(expected);
});

test('the first settings file of OpenTofu that exists is read, and the files of the settings folder', () => {
  const folder = ['.terraform.d/mirrors.tfrc', '.terraform.d/more.tfrc.json'];
  expect(read(ALL, named('/opt/tofu'))).toEqual(['.tofurc', ...folder]);
  const withoutOwn = ALL.filter((file) => file !== '.tofurc');
  expect(read(withoutOwn, named('tofu'))).toEqual(['.terraformrc', ...folder]);
  expect(read(['xdg/opentofu/tofurc', 'xdg/opentofu/a.tfrc'], named('tofu'))).toEqual([
    'xdg/opentofu/tofurc',
    'xdg/opentofu/a.tfrc',
  ]);
  expect(read(['.terraform.d/a.tfrc', 'xdg/opentofu/a.tfrc'], named('tofu'))).toEqual([
    '.terraform.d/a.tfrc',
  ]);
});

test.each(['TF_CLI_CONFIG_FILE', 'TERRAFORM_CONFIG'])(
  'only the file that %s names is read, whether it exists or not',
  (name) => {
    expect(read(ALL, () => ({ [name]: '/etc/gone.tfrc' }))).toEqual(['/etc/gone.tfrc']);
  },
);
