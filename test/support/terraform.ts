/**
 * Runs the real terraform (or tofu) on configurations of a test, in a folder and an environment of
 * its own.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findTerraform } from '../../examples/story/find-terraform';
import { sharedEnvironment } from './shared-folder';

/** The output of a command, and its exit code. */
export interface CommandResult {
  /** The exit code. Null if a signal ended the command. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that is still running. */
export interface RunningCommand {
  readonly process: ChildProcess;
  readonly result: Promise<CommandResult>;
  /**
   * Resolves once stdout and stderr together contain `text`. Rejects if the command ends without
   * it.
   */
  printed(text: string | RegExp): Promise<void>;
}

export interface WorkspaceOptions {
  /** The files to write, by their paths below the folder. Objects become JSON. */
  readonly files?: Readonly<Record<string, string | object>>;
  /** The variables to add to the clean environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The binary to run. Default: the terraform or tofu of this machine. */
  readonly binary?: string | undefined;
  /** The path of the configuration's folder below the home of the workspace. Default: `stack`. */
  readonly folder?: string;
}

/** A provider's executable, with the address under which it is installed. */
export interface PlacedProvider {
  /** The address, such as `example.com/me/thing`. */
  readonly address: string;
  readonly version: string;
  /** The executable file, or a folder whose files are placed together. */
  readonly path: string;
}

/**
 * Variables that must not reach a test: those of Terraform, of clients of Vault, and of pipelines.
 */
const UNWANTED =
  /^(TF_|TERRAFORM_|TOFU_|VAULT|BAO_|AWS_|PLUGIN_|HTTPS?_PROXY$|NO_PROXY$|NODE_OPTIONS$|NODE_EXTRA_CA_CERTS$|CI$)/i;

/** Returns the platform of this machine in Terraform's notation: `linux_amd64`. */
export function platform(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const machine = process.arch === 'x64' ? 'amd64' : process.arch;
  return `${system}_${machine}`;
}

function cleanEnvironment(folder: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !UNWANTED.test(name));
  return {
    ...Object.fromEntries(inherited),
    ...sharedEnvironment(),
    // The tokens and plugins of this machine's user must not affect a test.
    HOME: folder,
    CHECKPOINT_DISABLE: '1',
    TF_IN_AUTOMATION: '1',
    TF_CLI_CONFIG_FILE: join(folder, 'cli.tfrc'),
    TMPDIR: folder,
  };
}

/** A folder with a configuration, on which commands are run. */
export class Workspace {
  /** The folder of the configuration, in which commands run. */
  readonly folder: string;
  /**
   * The folder that contains everything that commands write: the configuration, temporary files,
   * crash reports.
   */
  readonly home: string;
  /** The environment of commands, to which each call can add variables. */
  readonly env: NodeJS.ProcessEnv;
  private readonly running = new Set<ChildProcess>();

  private readonly binary: string | undefined;

  constructor({ files = {}, env = {}, folder = 'stack', binary }: WorkspaceOptions = {}) {
    this.binary = binary;
    // Sockets need short paths, so the folder for temporary files must not be deep.
    this.home = realpathSync(mkdtempSync(join(tmpdir(), 'tf-')));
    this.folder = join(this.home, folder);
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(join(this.home, 'cli.tfrc'), '');
    this.env = { ...cleanEnvironment(this.home), ...env };
    for (const [path, content] of Object.entries(files)) this.write(path, content);
  }

  /** Writes a file below the folder. An object becomes JSON. */
  write(path: string, content: string | object): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  exists(path: string): boolean {
    return existsSync(join(this.folder, path));
  }

  remove(path: string): void {
    rmSync(join(this.folder, path), { recursive: true, force: true });
  }

  /** Places a provider in the folder where `init` finds it without a configuration. */
  place({ address, version, path }: PlacedProvider): void {
    const to = join(this.folder, 'terraform.d', 'plugins', address, version, platform());
    mkdirSync(dirname(to), { recursive: true });
    cpSync(path, to, { recursive: true });
  }

  /** Starts a command: `start('apply', '-auto-approve')`. */
  start(...args: readonly string[]): RunningCommand {
    return this.spawn(args, {});
  }

  /** Runs a command to its end, whether it succeeds or fails. */
  run(...args: readonly string[]): Promise<CommandResult> {
    return this.start(...args).result;
  }

  /** Starts a command like {@link start}, with more variables in the environment. */
  startWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): RunningCommand {
    return this.spawn(args, env);
  }

  /** Runs a command like {@link run}, with more variables in the environment. */
  runWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CommandResult> {
    return this.startWith(env, ...args).result;
  }

  /**
   * Runs a command that has to succeed.
   *
   * @throws Error with its output if it fails.
   */
  async must(...args: readonly string[]): Promise<CommandResult> {
    const result = await this.run(...args);
    if (result.code !== 0) {
      throw new Error(`${args.join(' ')} ended with ${result.code}\n${result.stdout}\n${result.stderr}`);
    }
    return result;
  }

  init(...args: readonly string[]): Promise<CommandResult> {
    return this.must('init', '-input=false', '-no-color', ...args);
  }

  apply(...args: readonly string[]): Promise<CommandResult> {
    return this.must('apply', '-auto-approve', '-input=false', '-no-color', ...args);
  }

  destroy(...args: readonly string[]): Promise<CommandResult> {
    return this.must('destroy', '-auto-approve', '-input=false', '-no-color', ...args);
  }

  /** Plans, and reads the plan. */
  async plan(...args: readonly string[]): Promise<Plan> {
    await this.must('plan', '-input=false', '-no-color', '-out=tfplan', ...args);
    return JSON.parse((await this.must('show', '-json', 'tfplan')).stdout) as Plan;
  }

  /**
   * Returns the values of every object in the state, by address. A local state is read from its
   * file, without starting a program.
   */
  async state(): Promise<Record<string, Record<string, unknown>>> {
    if (this.exists('terraform.tfstate'))
      return valuesIn(JSON.parse(this.read('terraform.tfstate')) as StateFile);
    const shown = JSON.parse((await this.must('show', '-json')).stdout) as ShownState;
    const resources = shown.values?.root_module?.resources ?? [];
    return Object.fromEntries(resources.map(({ address, values }) => [address, values]));
  }

  /** Ends commands that are still running, and removes the folder with all files. */
  async dispose(): Promise<void> {
    const ended = [...this.running].map((child) => new Promise((resolve) => child.once('close', resolve)));
    for (const child of this.running) killGroup(child);
    await Promise.all(ended);
    rmSync(this.home, { recursive: true, force: true });
  }

  private spawn(args: readonly string[], env: Readonly<Record<string, string>>): RunningCommand {
    const child = spawn(this.binary ?? terraformBinary(), args, {
      cwd: this.folder,
      env: { ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group, so that a signal reaches the command together with the providers
      // that it started.
      detached: true,
    });
    this.running.add(child);
    const output = { stdout: '', stderr: '' };
    const waiting = new Set<() => void>();
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
        for (const check of waiting) check();
      });
    }
    const result = new Promise<CommandResult>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        this.running.delete(child);
        resolve({ code, ...output });
      });
    });
    const printed = (text: string | RegExp) =>
      new Promise<void>((resolve, reject) => {
        const check = () => {
          const all = output.stdout + output.stderr;
          if (typeof text === 'string' ? !all.includes(text) : !text.test(all)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
        void result.then(() =>
          reject(new Error(`ended without ${text}:\n${output.stdout}\n${output.stderr}`)),
        );
      });
    return { process: child, result, printed };
  }
}

/** Kills a command and the providers that it started. */
function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGKILL');
  } catch {
    // The group ended in the meantime.
  }
}

/**
 * The variable in which the setup before all tests stores the found program. Without it, each file
 * would start two programs to find it.
 */
export const FOUND_TERRAFORM = 'TERRAFORM_FOUND_FOR_TESTS';

let terraform = process.env[FOUND_TERRAFORM];

/** Returns the name of the terraform or tofu that every workspace runs. */
export function terraformBinary(): string {
  terraform ??= findTerraform();
  return terraform;
}

/** The parts of `terraform show -json <plan>` that tests read. */
export interface Plan {
  readonly errored: boolean;
  readonly resource_changes?: readonly ResourceChange[];
  readonly resource_drift?: readonly ResourceChange[];
  readonly planned_values?: unknown;
}

export interface ResourceChange {
  readonly address: string;
  readonly type: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly before: Record<string, unknown> | null;
    readonly after: Record<string, unknown> | null;
    readonly after_unknown: Record<string, unknown>;
    readonly before_sensitive: unknown;
    readonly after_sensitive: unknown;
    readonly replace_paths?: readonly (readonly (string | number)[])[];
    readonly importing?: { readonly id: string };
  };
}

interface ShownState {
  readonly values?: {
    readonly root_module?: {
      readonly resources?: readonly { readonly address: string; readonly values: Record<string, unknown> }[];
    };
  };
}

/** The parts of a local state that tests read. */
interface StateFile {
  readonly resources: readonly {
    readonly module?: string;
    readonly mode: 'managed' | 'data';
    readonly type: string;
    readonly name: string;
    readonly instances: readonly {
      readonly index_key?: string | number;
      readonly deposed?: string;
      readonly attributes: Record<string, unknown>;
    }[];
  }[];
}

/**
 * Returns the values of the objects in the root module, by address, in the form of `terraform
 * show`.
 */
function valuesIn({ resources }: StateFile): Record<string, Record<string, unknown>> {
  const entries = resources
    .filter(({ module }) => module === undefined)
    .flatMap(({ mode, type, name, instances }) =>
      instances
        .filter(({ deposed }) => deposed === undefined)
        .map(({ index_key: key, attributes }) => {
          const address = `${mode === 'data' ? 'data.' : ''}${type}.${name}`;
          const values = withoutTypes(attributes) as Record<string, unknown>;
          return [key === undefined ? address : `${address}[${JSON.stringify(key)}]`, values] as const;
        }),
    );
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns a value without types, which a state stores beside a dynamic value. */
function withoutTypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutTypes);
  if (Object.keys(value).sort().join() === 'type,value') return (value as { value: unknown }).value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutTypes(each)]));
}

/**
 * Returns the actions of a plan, by address: `{ 'thing.a': 'create' }`, with `delete,create` for a
 * replacement.
 */
export function actions(plan: Plan): Record<string, string> {
  return Object.fromEntries(
    (plan.resource_changes ?? []).map(({ address, change }) => [address, change.actions.join(',')]),
  );
}
