import { execFile } from 'node:child_process';

export interface Ended {
  readonly code: number;
  /** The text on stdout and stderr. */
  readonly output: string;
}

/** Runs a script as the runners of GitHub and GitLab do: the first command that fails ends it. */
export function shell(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve) => {
    execFile('bash', ['-eo', 'pipefail', '-c', script], { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr });
    });
  });
}
