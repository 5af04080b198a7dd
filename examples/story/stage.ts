import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Terraform } from './terraform';

/** Below the clone: nothing of a run is left outside of it. */
const RUNS = join(__dirname, '..', '..', 'runs');

/** The tools of a story, and the processes that have to end with it. */
export class Stage {
  /** A folder of the run's own, removed at its end. */
  readonly folder: string;
  private readonly endings: (() => Promise<void>)[] = [];
  private readonly commands: Terraform[] = [];

  constructor(
    private readonly binary: string,
    private readonly verbose: boolean,
  ) {
    mkdirSync(RUNS, { recursive: true });
    this.folder = mkdtempSync(join(RUNS, 'run-'));
    this.atEnd(async () => rmSync(this.folder, { recursive: true, force: true }));
  }

  /**
   * Registers what has to end with the run, whatever way it ends; the last one registered ends
   * first.
   */
  atEnd(ending: () => Promise<void>): void {
    this.endings.unshift(ending);
  }

  /**
   * Terraform with `variables` in its environment, and nothing there that leads to other servers or
   * settings.
   */
  terraform(variables: NodeJS.ProcessEnv): Terraform {
    const kept = Object.entries(process.env).filter(
      ([name]) => !/^(TF_|VAULT_|VAULTADMIN_|CDKTF_)/.test(name),
    );
    const environment = {
      ...Object.fromEntries(kept),
      CHECKPOINT_DISABLE: '1',
      TF_IN_AUTOMATION: '1',
      // A user's own settings (~/.terraformrc) and token (~/.vault-token) stay out of it.
      HOME: this.folder,
      ...variables,
    };
    const terraform = new Terraform(this.binary, environment, this.verbose);
    this.commands.push(terraform);
    return terraform;
  }

  /** Stops what runs, so that the story fails at the step it is at. */
  interrupt(): void {
    for (const terraform of this.commands) terraform.stop();
  }

  async end(): Promise<void> {
    for (const ending of this.endings.splice(0)) await ending();
  }
}
