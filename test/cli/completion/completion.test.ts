import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdminAlone } from '../support/cli';

const MAIN = join(__dirname, '..', '..', '..', 'lib', 'src', 'cli', 'main.js');

async function script(shell: string): Promise<string> {
  const { code, stdout } = await vaultAdminAlone(['completion', shell], {});
  expect(code).toBe(0);
  return stdout;
}

/** Returns the completions of the last word by bash. */
function complete(completion: string, ...words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const asked = `
    specification=$(complete -p '${words[0]!}')
    [[ $specification =~ -F\\ ([a-z_]+) ]]
    COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; \${BASH_REMATCH[1]}; echo "\${COMPREPLY[@]}"`;
  const { status, stdout } = spawnSync('bash', ['-c', `${completion}\n${asked}`], { encoding: 'utf8' });
  expect(status).toBe(0);
  return stdout.trim().split(' ');
}

test('bash completes commands, and the options of each', async () => {
  const completion = await script('bash');
  expect(complete(completion, 'vault-admin', 'st')).toEqual(['status']);
  expect(complete(completion, 'vault-admin', '--v')).toEqual(['--version']);
  expect(complete(completion, 'vault-admin', 'status', '--j')).toEqual(['--json']);
  expect(complete(completion, 'vault-admin', 'emulator', '--root')).toEqual(['--root-token']);
  expect(complete(completion, 'vault-admin', 'completion', 'z')).toEqual(['zsh']);
  expect(complete(completion, 'vault-admin', 'he')).toEqual(['help']);
  expect(complete(completion, 'vault-admin', 'policy', 'fm')).toEqual(['fmt']);
  expect(complete(completion, 'vault-admin', 'help', 'ad')).toEqual(['adopt']);
});

test('bash completes the command of the guides, which begins with npx', async () => {
  const completion =
    `export VAULTADMIN_EU_ADDR=http://b; npx() { printf '%s\\n' "$@"; }\n` + (await script('bash'));
  const guide = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'guides', 'command-line.md'), 'utf8');
  const [, shown] = /^(npx .*) completion bash/m.exec(guide)!;
  const call = shown!.split(' ');
  expect(complete(completion, ...call, 'st')).toEqual(['status']);
  expect(complete(completion, ...call, 'policy', 'fm')).toEqual(['fmt']);
  expect(complete(completion, ...call, 'policy', 'diff', '--fail-')).toEqual(['--fail-on']);
  expect(complete(completion, ...call, 'status', '--cluster', '')).toEqual(['eu']);
  // The names of policies come from the same command.
  expect(complete(completion, ...call, 'policy', 'diff', '--policy', 'cdktf-')).toEqual([
    'cdktf-vault-admin',
  ]);
  expect(complete(completion, 'npx', 'cdktf-v')).toEqual(['']);
  expect(complete(completion, 'npx', 'other', 'st')).toEqual(['']);
});

test('bash completes the values of options, and the clusters of the environment', async () => {
  const completion =
    'export VAULTADMIN_US_EAST_ADDR=http://a VAULTADMIN_EU_ADDR=http://b VAULTADMIN_EU_TOKEN=canary\n' +
    (await script('bash'));
  expect(complete(completion, 'vault-admin', 'emulator', '--dialect', '')).toEqual(['vault', 'neutral']);
  expect(complete(completion, 'vault-admin', 'status', '--cluster', '').sort()).toEqual(['eu', 'us_east']);
  expect(complete(completion, 'vault-admin', 'adopt', '--cluster', 'us')).toEqual(['us_east']);
  // The clusters of the emulator are named by its own options, so nothing is completed.
  expect(complete(completion, 'vault-admin', 'emulator', '--cluster', 'e')).toEqual(['']);
  expect(complete(completion, 'vault-admin', 'status', '--cluster', 'eu', '--j')).toEqual(['--json']);
});

test('bash completes subcommands, and the policies of the stacks', async () => {
  const folder = temporaryFolder('completion');
  const stack = join(folder, 'cdktf.out', 'stacks', 'one');
  mkdirSync(stack, { recursive: true });
  const resource = {
    vaultadmin_acl_policy: { a: { name: 'app-reader' }, b: { name: '${var.late}' } },
    vaultadmin_rgp_policy: { e: { name: 'app-$(touch ran)' }, f: { name: 'app-`touch ran`' } },
    vault_policy: { c: { name: 'app-writer' } },
    vaultadmin_managed_key: { d: { name: 'app-key' } },
  };
  writeFileSync(join(stack, 'cdk.tf.json'), JSON.stringify({ resource }));
  const completion =
    `cd '${folder}'; vault-admin() { '${process.execPath}' '${MAIN}' "$@"; }\n` + (await script('bash'));
  const diff = ['vault-admin', 'policy', 'diff'];
  expect(complete(completion, ...diff, '--fail-')).toEqual(['--fail-on']);
  expect(complete(completion, ...diff, '--policy', 'app-')).toEqual(['app-reader', 'app-writer']);
  expect(existsSync(join(folder, 'ran'))).toBe(false);
  expect(complete(completion, 'vault-admin', 'policy', 'di')).toEqual(['diff']);
  rmSync(join(folder, 'cdktf.out'), { recursive: true });
  expect(complete(completion, ...diff, '--policy', '')).toEqual(['']);
});

test.each(['vault-admin', 'cdktf-vault-admin'])('every shell completes the name %s', async (name) => {
  const { status, stdout } = spawnSync('bash', ['-c', `${await script('bash')}\ncomplete -p ${name}`], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: `complete -o default -F _vault_admin ${name}\n` });
  expect(await script('fish')).toContain(
    `complete -c ${name} -n "__fish_seen_subcommand_from doctor" -l stacks\n`,
  );
});

test('fish completes policies by the same command as bash', async () => {
  expect(await script('fish')).toContain(
    'complete -c vault-admin -n "__fish_seen_subcommand_from policy; and __fish_seen_subcommand_from diff" ' +
      '-l policy -x -a "(vault-admin completion fish --policies 2>/dev/null)"\n',
  );
});

test('an option that was renamed is not completed', async () => {
  const completion = await script('bash');
  expect(complete(completion, 'vault-admin', 'doctor', '--')).toEqual([
    '--cluster',
    '--stacks',
    '--least-policy',
    '--json',
    '--no-color',
    '--quiet',
    '--help',
  ]);
  expect(complete(completion, 'vault-admin', 'adopt', '--out')).toEqual(['--output']);
});

test('zsh uses the completion of bash, and fish has a line for each option and argument', async () => {
  expect(await script('zsh')).toMatch(
    /bashcompinit\n_vault_admin_clusters\(\) \{\n.*\n\}\n_vault_admin_policies\(\) \{\n.*\n\}\n_vault_admin\(\) \{/,
  );
  const fish = await script('fish');
  expect(fish).toContain('complete -c vault-admin -n "__fish_seen_subcommand_from status" -l json\n');
  expect(fish).toContain('complete -c vault-admin -n "__fish_seen_subcommand_from completion" -f -a zsh\n');
  expect(fish).toContain(
    'complete -c vault-admin -n "__fish_seen_subcommand_from emulator" -l dialect -x -a "vault neutral"\n',
  );
  expect(fish).toContain(
    'complete -c vault-admin -n "__fish_seen_subcommand_from status" -l cluster -x -a "(set -nx | string replace -rf ' +
      "'^VAULTADMIN_(.*)_ADDR\\$' '\\$1' | string lower)\"\n",
  );
});

test('another shell is refused, and the error lists the supported ones', async () => {
  const { code, stderr } = await vaultAdminAlone(['completion', 'tcsh'], {});
  expect(code).toBe(2);
  expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
});
