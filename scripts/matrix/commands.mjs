import { spawn, spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';

/** Longer than any command takes that is going to end. */
const TIMEOUT = 5 * 60_000;

/** A command failed; what it printed is the message. */
export class CommandFailed extends Error {}

/** Runs a command to its end. @returns all that it printed. */
export function run(command, args, options) {
  const { stdout, stderr } = end(command, args, options);
  return stdout + stderr;
}

/** Runs a command to its end. @returns its answer, without what it may have warned of. */
export function output(command, args, options) {
  return end(command, args, options).stdout.trim();
}

function end(command, args, { cwd, env = cleanEnvironment(), accepted = [0] } = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT,
  });
  if (error || !accepted.includes(status)) {
    throw new CommandFailed(
      `"${[command, ...args].join(' ')}" ended with ${error?.message ?? status}\n${stdout ?? ''}${stderr ?? ''}`,
    );
  }
  return { stdout, stderr };
}

/** An environment without anything that leads to other servers or settings. */
export function cleanEnvironment(firstInPath = [], variables = {}) {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(TF_|VAULT_|VAULTADMIN_|CDKTF_|TERRAFORM_|NODE_OPTIONS|npm_(package|lifecycle))/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    PATH: [...firstInPath, process.env.PATH].join(delimiter),
    CHECKPOINT_DISABLE: '1',
    CI: '1',
    ...variables,
  };
}

/** Starts a command that runs until it is stopped. @returns its first line, and how to stop it. */
export function start(command, args, { cwd, env }) {
  // A group of its own, since what starts it may stand between.
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const stop = () => process.kill(-child.pid, 'SIGINT');
  process.once('exit', stop);
  return new Promise((resolve, reject) => {
    let printed = '';
    child.once('error', reject);
    child.once('exit', (code) => {
      process.off('exit', stop);
      reject(new CommandFailed(`"${command}" ended with ${code}\n${printed}`));
    });
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const end = printed.indexOf('\n');
      if (end < 0) return;
      resolve({
        firstLine: printed.slice(0, end),
        stop: () =>
          new Promise((stopped) => {
            // One that has ended already is not what is wrong in the first place.
            if (child.exitCode !== null || child.signalCode !== null) return stopped();
            child.once('exit', stopped);
            stop();
          }),
      });
    });
  });
}
