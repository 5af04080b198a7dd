/**
 * A replacement for the command line of cdktf, which the checkout does not have: runs the app, and
 * Terraform in its stacks.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [command, ...args] = process.argv.slice(2);
const asked = args.filter((arg) => !arg.startsWith('-'));

run(JSON.parse(readFileSync('cdktf.json', 'utf8')).app);
const { stacks } = JSON.parse(readFileSync('cdktf.out/manifest.json', 'utf8'));
for (const [name, { workingDirectory }] of Object.entries(stacks)) {
  if (command === 'synth' || (asked.length > 0 && !asked.includes(name))) continue;
  const cwd = `cdktf.out/${workingDirectory}`;
  run('terraform init', cwd);
  run(`terraform ${{ diff: 'plan', deploy: 'apply', destroy: 'destroy' }[command]}`, cwd);
}

function run(line, cwd) {
  const { status } = spawnSync(line, { cwd, shell: true, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
