import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newerTerraform, newerTerraformMissing } from '../support/newer-terraform';
import { platform, Workspace } from '../support/terraform';
import { blocksOf } from './support/page';

const PAGE = 'docs/guides/provider-in-javascript.md';
const ADDRESS = 'example.com/me/notes';

const newer = newerTerraform();
if (newer === undefined) console.warn(newerTerraformMissing());

const texts = (wanted: string) =>
  blocksOf(PAGE).flatMap(({ language, text }) => (language === wanted ? [text] : []));

/** Returns a folder with the provider of the page, placed as the page describes. */
function folderWithProvider(binary?: string): Workspace {
  const workspace = new Workspace({ binary });
  const packages = join(workspace.folder, 'node_modules');
  mkdirSync(packages);
  symlinkSync(join(__dirname, '..', '..'), join(packages, 'cdktf-vault-admin'));
  const file = join(
    workspace.folder,
    'terraform.d/plugins',
    ADDRESS,
    '1.0.0',
    platform(),
    'terraform-provider-notes',
  );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, texts('js')[0]!);
  chmodSync(file, 0o755);
  mkdirSync(join(workspace.folder, 'notes'));
  workspace.write('main.tf', texts('terraform')[0]!);
  return workspace;
}

test('the provider of the page creates, updates and destroys a note', async () => {
  const workspace = folderWithProvider();
  try {
    await workspace.init();
    await workspace.apply();
    expect(workspace.read('notes/hello.txt')).toBe('Hello.\n');
    workspace.write('notes/hello.txt', 'Changed.\n');
    await workspace.apply();
    expect(workspace.read('notes/hello.txt')).toBe('Hello.\n');
    await workspace.destroy();
    expect(workspace.exists('notes/hello.txt')).toBe(false);
  } finally {
    await workspace.dispose();
  }
});

(newer === undefined ? test.skip : test)('it lists notes, and its action says how far it is', async () => {
  const workspace = folderWithProvider(newer);
  try {
    await workspace.init();
    await workspace.apply();
    workspace.write('notes.tfquery.hcl', texts('hcl')[0]!);
    const { stdout } = await workspace.must('query', '-no-color');
    expect(stdout).toMatch(/list\.notes_note\.all\s+name=hello\s+note "hello"/);
    workspace.remove('notes.tfquery.hcl');
    workspace.write('main.tf', texts('terraform').join('\n'));
    const invoked = await workspace.must(
      'apply',
      '-auto-approve',
      '-no-color',
      '-invoke=action.notes_note_append.more',
    );
    expect(invoked.stdout).toContain('appending to hello');
    expect(workspace.read('notes/hello.txt')).toBe('Hello.\nOne more line.\n');
  } finally {
    await workspace.dispose();
  }
});
