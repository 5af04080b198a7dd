import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf } from '../docs/support/page';
import { temporaryFolder } from '../support/temporary-folder';

const ROOT = join(__dirname, '../..');
const SCRIPT = join(__dirname, 'neovim.lua');
const HEADLESS = ['--headless', '--clean'];
const NAMES = [process.env.NEOVIM_BINARY ?? '', 'nvim'];
/** The name of a Neovim on this machine that supports the settings of the guide. */
const NEOVIM = NAMES.find((name) => {
  const hasSettings = 'lua io.stdout:write(tostring(vim.lsp.config ~= nil))';
  return (
    name !== '' && spawnSync(name, [...HEADLESS, '-c', hasSettings, '-c', 'qa!']).stdout?.includes('true')
  );
});

let folder: string;
beforeAll(() => (folder = temporaryFolder('neovim')));
if (NEOVIM === undefined) {
  const line = '!'.repeat(100);
  console.warn(
    `${line}\nNOT TRIED: the language server in Neovim. Install Neovim 0.11 or later, or set NEOVIM_BINARY.\n${line}`,
  );
}

(NEOVIM === undefined ? test.skip : test)(
  'Neovim with the settings of the guide shows findings and hovers, corrects, completes and formats',
  () => {
    const [guide] = blocksOf('docs/guides/editors.md').filter(({ language }) => language === 'lua');
    const command = [process.execPath, join(ROOT, 'lib/src/cli/main.js'), 'policy', 'language-server'];
    const own = `vim.lsp.config('vault_policies', { cmd = { ${command.map((word) => JSON.stringify(word)).join(', ')} } })\n`;
    writeFileSync(join(folder, 'init.lua'), guide!.text + own);
    writeFileSync(
      join(folder, 'ops.hcl'),
      'path "sys/mounts" {\n  capabilities = ["list"]\n}\n\npath "sys/policies/acl/+" {\ncapabilities=["read"]\n}\n',
    );
    writeFileSync(join(folder, 'hours.sentinel'), 'main = rule { request.path is "/secret/data/app"}\n');
    const { stdout, stderr } = spawnSync(
      NEOVIM!,
      [...HEADLESS, '-u', 'init.lua', '-c', `luafile ${SCRIPT}`, '-c', 'qa!'],
      { cwd: folder, encoding: 'utf8', timeout: 240_000 },
    );
    const [shown = stderr] = stdout.split('\n').filter((line) => line.startsWith('{'));
    const policy = [
      'path "sys/mounts" {',
      '  capabilities = ["list", "read"]',
      '}',
      '',
      'path "sys/policies/acl/+" {',
    ];
    expect(JSON.parse(shown)).toEqual({
      filetype: 'hcl',
      findings: [
        '1:6 read-missing: the path can be read, but not listed. To do: grant "read" on "sys/mounts".',
      ],
      hover: expect.arrayContaining([expect.stringContaining('`sys/mounts`')]),
      fixed: [...policy, 'capabilities=["read"]', '}'],
      completed: expect.arrayContaining(['mounts', 'mounts/', 'policies/']),
      formatted: [...policy, '  capabilities = ["read"]', '}'],
      sentinel: {
        filetype: 'sentinel',
        findings: [
          '1:31 impossible-value: request.path never begins with a slash: the comparison is never true; remove the leading "/"',
        ],
        hover: [expect.stringMatching(/^`request` has `path`, `operation`, /)],
        formatted: ['main = rule { request.path is "/secret/data/app" }'],
      },
    });
  },
  300_000,
);
