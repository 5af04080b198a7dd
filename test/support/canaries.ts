/** Searches for secrets in everything that a run of terraform leaves. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { unzipSync } from 'fflate';
import type { CommandResult, Workspace } from './terraform';

/** The folder of the provider within the folder of a configuration. */
const PLACED = join('terraform.d', 'plugins');

/**
 * The interval in milliseconds at which the arguments of running processes are read. A provider
 * runs longer than that.
 */
export const WATCH_INTERVAL = 20;

/**
 * Secrets that are planted as markers. Terraform receives them as variables of the configuration,
 * which has to declare them with {@link variables}: terraform stores variables that are not
 * ephemeral.
 *
 * @example const canaries = new Canaries(stack.workspace, { pin: 'canary-pin-1' });
 *   stack.resources(canaries.variables + resource('pin_wo = var.pin')); await canaries.run('apply',
 *   '-auto-approve'); expect(canaries.sightings()).toEqual([]);
 */
export class Canaries {
  private readonly seen = new Set<string>();
  private forms: Readonly<Record<string, readonly string[]>>;

  /**
   * Plants secrets.
   *
   * @param secrets by names of variables. Use letters, digits and dashes, which are never escaped
   */
  constructor(
    private readonly workspace: Workspace,
    private secrets: Readonly<Record<string, string>>,
  ) {
    this.forms = formsOfAll(secrets);
  }

  /** Returns the declarations of the variables. */
  get variables(): string {
    const declarations = Object.keys(this.secrets).map(
      (name) =>
        `variable "${name}" {\n  type      = string\n  sensitive = true\n  ephemeral = true\n  default   = null\n}\n`,
    );
    return declarations.join('');
  }

  /** Plants more secrets. First searches the files for the earlier ones. */
  plant(secrets: Readonly<Record<string, string>>): void {
    this.searchFiles();
    this.secrets = { ...this.secrets, ...secrets };
    this.forms = formsOfAll(this.secrets);
  }

  /**
   * Runs a command with the most detailed log, and searches its output and the arguments of all
   * processes.
   */
  async run(...args: readonly string[]): Promise<CommandResult> {
    const variables = Object.entries(this.secrets).map(([name, value]) => [`TF_VAR_${name}`, value]);
    const env = {
      TF_LOG: 'TRACE',
      ...(Object.fromEntries(variables) as Record<string, string>),
    };
    const others = new Set(processes());
    const command = this.workspace.startWith(env, ...args);
    this.searchArguments(others);
    const watch = setInterval(() => this.searchArguments(others), WATCH_INTERVAL);
    try {
      const result = await command.result;
      this.search(`stdout of ${args.join(' ')}`, result.stdout);
      this.search(`stderr of ${args.join(' ')}`, result.stderr);
      this.searchFiles();
      return result;
    } finally {
      clearInterval(watch);
    }
  }

  /** Searches a text from elsewhere, such as a synthesized stack or an answer. */
  search(place: string, text: string): void {
    for (const [name, forms] of Object.entries(this.forms)) {
      if (forms.some((form) => text.includes(form))) this.seen.add(`${name} in ${place}`);
    }
  }

  /** Returns the places where secrets were found: `pin in terraform.tfstate`. */
  sightings(): readonly string[] {
    this.searchFiles();
    return [...this.seen].sort();
  }

  /** Searches state, backups, plans, crash reports and temporary files. */
  private searchFiles(): void {
    for (const file of filesBelow(this.workspace.home)) {
      const bytes = readFileSync(file);
      const place = relative(this.workspace.home, file);
      this.search(place, bytes.toString('latin1'));
      if (bytes.subarray(0, 2).toString() === 'PK') {
        for (const [entry, content] of Object.entries(unzipSync(bytes))) {
          this.search(`${place}, ${entry}`, Buffer.from(content).toString('latin1'));
        }
      }
    }
  }

  private searchArguments(leftOut: ReadonlySet<string>): void {
    for (const text of argumentsOfOthers(leftOut)) this.search('the arguments of a process', text);
  }
}

/** Returns the arguments of all processes, except the given ones. */
export function argumentsOfOthers(leftOut: ReadonlySet<string>): readonly string[] {
  return processes().flatMap((pid) => {
    if (leftOut.has(pid)) return [];
    try {
      return [readFileSync(`/proc/${pid}/cmdline`, 'latin1')];
    } catch {
      // The process ended in the meantime.
      return [];
    }
  });
}

/** Returns the ids of all processes. */
export function processes(): readonly string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

function formsOfAll(secrets: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, formsOf(secret)]));
}

/**
 * Returns a text as it is, and in the three forms that it can have within a longer text in base64.
 */
export function formsOf(secret: string): readonly string[] {
  const encoded = [0, 1, 2].map((offset) => {
    const base64 = Buffer.from(' '.repeat(offset) + secret).toString('base64');
    // The characters at both ends also depend on the text beside the secret.
    return base64.slice(offset === 0 ? 0 : offset + 1, -4);
  });
  return [secret, ...encoded];
}

/**
 * Returns the files below a folder, without those of the provider, which existed before any secret
 * and whose hash is locked.
 */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (path.endsWith(PLACED)) return [];
    const entry = lstatSync(path);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}
