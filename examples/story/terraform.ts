import { type ChildProcess, spawn } from 'node:child_process';
import { StoryError } from './steps';

/** The output of a terraform command, and its exit code. */
export interface TerraformRun {
  readonly code: number;
  readonly output: string;
}

/** Runs one stack's commands, one after the other. */
export class Terraform {
  private readonly running = new Set<ChildProcess>();
  private stopped = false;

  constructor(
    private readonly binary: string,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly verbose: boolean,
  ) {}

  /**
   * Runs one command in `folder`.
   *
   * @throws StoryError when it ends with a code that is not in `accepted`; its output is printed
   *   before.
   */
  run(folder: string, args: readonly string[], accepted: readonly number[] = [0]): Promise<TerraformRun> {
    return this.execute(this.binary, args, folder, accepted);
  }

  /**
   * Runs a Node script of ours, such as a synthesis, with the same environment and the same
   * printing.
   */
  runScript(folder: string, script: string, args: readonly string[] = []): Promise<TerraformRun> {
    return this.execute(process.execPath, [script, ...args], folder, [0]);
  }

  /** Interrupts what runs, as Ctrl-C does, and starts nothing any more. */
  stop(): void {
    this.stopped = true;
    for (const child of this.running) child.kill('SIGINT');
  }

  private async execute(
    command: string,
    args: readonly string[],
    folder: string,
    accepted: readonly number[],
  ): Promise<TerraformRun> {
    const result = this.stopped ? undefined : await this.start(command, args, folder);
    if (!result || this.stopped) throw new StoryError('interrupted');
    if (accepted.includes(result.code)) return result;
    if (!this.verbose) process.stdout.write(result.output);
    throw new StoryError(`"${command} ${args.join(' ')}" ended with ${result.code}`);
  }

  private start(command: string, args: readonly string[], folder: string): Promise<TerraformRun> {
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        cwd: folder,
        env: this.environment,
        stdio: ['ignore', 'pipe', 'pipe'],
        // Out of the terminal's process group: Ctrl-C reaches it once, through `stop`, and not
        // twice.
        detached: true,
      });
      this.running.add(child);
      let output = '';
      const collect = (chunk: Buffer): void => {
        output += chunk.toString();
        if (this.verbose) process.stdout.write(chunk);
      };
      child.stdout.on('data', collect);
      child.stderr.on('data', collect);
      child.once('error', reject);
      child.once('close', (code) => {
        this.running.delete(child);
        resolve({ code: code ?? 1, output });
      });
    });
  }
}
