import { spawn, spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';

/** The time limit of a command, longer than any command takes. */
const TIMEOUT = 5 * 60_000;

/** An error for a command that failed. The message is its output. */
export class CommandFailed extends Error {}

/**
 * Runs a command to its end.
 *
 * @returns its whole output.
 */
export function run(command, args, options) {
  const { stdout, stderr } = end(command, args, options);
  return stdout + stderr;
}

/**
 * Runs a command to its end.
 *
 * @returns its output on stdout, without warnings.
 */
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

/** Returns an environment without variables that refer to other servers or settings. */
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

/**
 * Starts a command that runs until it is stopped.
 *
 * @returns its first line, and a function that stops it.
 */
export function start(command, args, { cwd, env }) {
  // A separate process group, because another process may be between the command and its children.
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
            // If the command has already ended, the caller does not wait for its end.
            if (child.exitCode !== null || child.signalCode !== null) return stopped();
            child.once('exit', stopped);
            stop();
          }),
      });
    });
  });
}
