import { spawn, spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';

/** A command failed; what it printed is the message. */
export class CommandFailed extends Error {}

/** Runs a command to its end. @returns what it printed. */
export function run(command, args, { cwd, env, accepted = [0] }) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (error || !accepted.includes(status)) {
    throw new CommandFailed(
      `"${[command, ...args].join(' ')}" ended with ${error?.message ?? status}\n${stdout}${stderr}`,
    );
  }
  return stdout + stderr;
}

/** An environment without anything that leads to other servers or settings. */
export function cleanEnvironment(firstInPath, variables) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(TF_|VAULT_|VAULTADMIN_|CDKTF_|TERRAFORM_)/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    PATH: [firstInPath, process.env.PATH].join(delimiter),
    CHECKPOINT_DISABLE: '1',
    CI: '1',
    ...variables,
  };
}

/** Starts a command that runs until it is stopped. @returns its first line, and how to stop it. */
export function start(command, args, { cwd, env }) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let printed = '';
    child.once('error', reject);
    child.once('exit', (code) => reject(new CommandFailed(`"${command}" ended with ${code}\n${printed}`)));
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const end = printed.indexOf('\n');
      if (end < 0) return;
      resolve({
        firstLine: printed.slice(0, end),
        stop: () =>
          new Promise((stopped) => {
            child.removeAllListeners('exit');
            child.once('exit', stopped);
            child.kill('SIGINT');
          }),
      });
    });
  });
}
