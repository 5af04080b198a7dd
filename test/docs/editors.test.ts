import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Editor } from '../language-server/client';
import { blocksOf } from './support/page';

const ROOT = join(__dirname, '../..');
const blocks = blocksOf('docs/guides/editors.md');
const textOf = (language: string) =>
  blocks.flatMap((block) => (block.language === language ? [block.text] : [])).join('\n');
const project = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
};

/** Returns the words in quotes of a list that follows a text. */
function listAfter(text: string, start: string): readonly string[] {
  const rest = text.slice(text.indexOf(start) + start.length);
  return Array.from(rest.slice(0, rest.search(/[\]}]/)).matchAll(/['"]([^'"]+)['"]/g), ([, word]) => word!);
}

test('the packages to install on the page are the optional ones of the language server', () => {
  const [, installed = ''] = /npm install --save-dev (.*)/.exec(textOf('sh'))!;
  const optional = Object.keys(project.peerDependencies).filter((name) => name.startsWith('vscode-'));
  expect(installed.split(' ').sort()).toEqual(optional.sort());
});

test('the extension is installed from the file that is packed by default', () => {
  const [, file = ''] = /--install-extension dist\/(\S+)/.exec(textOf('sh'))!;
  const [, script = ''] = /^node (.*)$/.exec(project.scripts.vscode!)!;
  expect(readFileSync(join(ROOT, script), 'utf8')).toContain(`'${file}'`);
});

test.each([
  ['lua', 'cmd = {'],
  ['toml', 'args = ['],
])('the command in the settings in %s serves an editor', async (language, start) => {
  const command = listAfter(textOf(language), start);
  const words = command.slice(command.indexOf('cdktf-vault-admin') + 1);
  const editor = await Editor.start(words);
  expect(await editor.open('file:///a.hcl', 'path "sys/health" {}\n')).not.toEqual([]);
  expect(await editor.stop()).toBe(0);
});
