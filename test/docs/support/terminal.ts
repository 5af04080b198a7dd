import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { curlCommand, programPath } from '../../support/programs';
import { terraformBinary } from '../../support/terraform';
import { ROOT } from './page';

const STAND_INS = join(__dirname, 'stand-ins');
/** The variables that would direct a command to other servers, other settings, or a registry. */
const UNWANTED = /^(TF_|TERRAFORM_|VAULT|CDKTF_|npm_|NODE_OPTIONS$|INIT_CWD$|CI$|NO_COLOR$|FORCE_COLOR$)/i;

export interface Printed {
  readonly code: number | null;
  /** stdout and stderr, in the order of the output. */
  readonly text: string;
}

/**
 * The terminals of a reader who starts in an empty folder. They run bash, which keeps its folder
 * and variables from one command to the next. Programs that need a registry are replaced. Questions
 * of programs are not answered.
 */
export class Terminal {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'reader-')));
  private readonly programs = join(this.home, '.programs');
  private readonly state = join(this.home, '.state');
  private readonly children: ChildProcess[] = [];

  constructor() {
    mkdirSync(this.programs);
    mkdirSync(join(this.home, 'tmp'));
    this.program('terraform', `exec "${programPath(terraformBinary())}" "$@"`);
    this.program('curl', `exec ${curlCommand()} "$@"`);
    this.program('npx', `exec bash "${join(STAND_INS, 'npx.sh')}" "$@"`);
    this.program('npm', `exec "${process.execPath}" "${join(STAND_INS, 'npm.mjs')}" "$@"`);
    writeFileSync(this.state, `cd "${this.home}"\n`);
  }

  /** The folder of the next command. */
  get folder(): string {
    return execFileSync('bash', ['-c', `. "${this.state}" && pwd`], { encoding: 'utf8' }).trim();
  }

  /** Runs commands until one fails. */
  async run(commands: string): Promise<Printed> {
    const child = this.bash(`keep() { export -p; printf 'cd %q\\n' "$PWD"; }
. "${this.state}"
trap 'keep > "${this.state}"' EXIT
set -e
${commands}`);
    let text = '';
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    }
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, text };
  }

  /** @throws Error with the output, if a command fails */
  async must(commands: string): Promise<void> {
    const { code, text } = await this.run(commands);
    if (code !== 0) throw new Error(`${commands}\nended with ${code}\n${text}`);
  }

  /** Starts a command in a terminal of its own, and waits until it has printed `ready`. */
  async open(command: string, ready: string): Promise<string> {
    const child = this.bash(`. "${this.state}"\n${command}`);
    let text = '';
    return new Promise((resolve, reject) => {
      for (const stream of [child.stdout!, child.stderr!]) {
        stream.on('data', (chunk: Buffer) => {
          text += chunk.toString();
          if (text.includes(ready)) resolve(text);
        });
      }
      child.once('close', (code) => reject(new Error(`"${command}" ended with ${code}\n${text}`)));
    });
  }

  /** Ends running commands, and removes all files. */
  async close(): Promise<void> {
    for (const child of this.children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      process.kill(-child.pid!, 'SIGTERM');
      await once(child, 'close');
    }
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Makes a program take precedence over all others with its name. */
  program(name: string, script: string): void {
    writeFileSync(join(this.programs, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(this.programs, name), 0o755);
  }

  private bash(script: string): ChildProcess {
    const inherited = Object.entries(process.env).filter(([name]) => !UNWANTED.test(name));
    const child = spawn('bash', ['-c', script], {
      cwd: this.home,
      env: {
        ...Object.fromEntries(inherited),
        PATH: [this.programs, process.env.PATH].join(delimiter),
        HOME: this.home,
        TMPDIR: join(this.home, 'tmp'),
        CHECKOUT: ROOT,
        STAND_INS,
        REAL_NPM: programPath('npm'),
        REAL_NPX: programPath('npx'),
        CHECKPOINT_DISABLE: '1',
        npm_config_update_notifier: 'false',
        TF_CLI_ARGS: '-no-color',
        TF_CLI_ARGS_apply: '-auto-approve -input=false',
        TF_CLI_ARGS_destroy: '-auto-approve -input=false',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, so that the programs that it starts end with it.
      detached: true,
    });
    this.children.push(child);
    return child;
  }
}
