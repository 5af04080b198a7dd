import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { serveProvider, type ServedProvider } from '../../../support/served-provider';
import { Workspace } from '../../../support/terraform';

const ROOT = join(__dirname, '..', '..', '..', '..');
const DEPENDENCIES = ['@cdktf/provider-vault', '@types/node', 'cdktf', 'constructs', 'ts-node', 'typescript'];

/** An app that the command has written, in a folder in which `npm install` was run. */
export class Project {
  private readonly workspaces: Workspace[] = [];
  private readonly providers: ServedProvider[] = [];

  constructor(readonly folder: string) {}

  install(): void {
    this.link('cdktf-vault-admin', ROOT);
    for (const name of DEPENDENCIES) this.link(name, join(ROOT, 'node_modules', name));
  }

  /** Compiles the app, as `npm run build` does. */
  compile(): void {
    this.node(join(ROOT, 'node_modules/typescript/bin/tsc'));
  }

  /**
   * Synthesizes the app.
   *
   * @returns the names of its stacks.
   */
  synth(): readonly string[] {
    this.node('-r', 'ts-node/register/transpile-only', 'main.ts');
    return readdirSync(join(this.folder, 'cdktf.out', 'stacks')).sort();
  }

  /**
   * Returns a stack in which terraform is initialized. The variables of the stack have no values.
   *
   * @param settings the variables of the environment for the clusters
   */
  async stack(name: string, settings: Readonly<Record<string, string>>): Promise<Workspace> {
    const provider = await serveProvider(settings);
    this.providers.push(provider);
    const workspace = new Workspace({ env: provider.env });
    this.workspaces.push(workspace);
    cpSync(join(this.folder, 'cdktf.out', 'stacks', name), workspace.folder, {
      recursive: true,
      verbatimSymlinks: true,
    });
    await workspace.init();
    return workspace;
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  async dispose(): Promise<void> {
    await Promise.all(this.workspaces.map((workspace) => workspace.dispose()));
    await Promise.all(this.providers.map((provider) => provider.close()));
  }

  private link(name: string, target: string): void {
    const path = join(this.folder, 'node_modules', name);
    if (existsSync(path)) return;
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  }

  private node(...args: readonly string[]): void {
    try {
      execFileSync(process.execPath, args, { cwd: this.folder, encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
    }
  }
}
