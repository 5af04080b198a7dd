/** The provider under the real terraform, against emulated clusters. */
import { providerPackage } from '../../constructs/placement/provider-package';
import type { Clock } from '../../src/client';
import { startEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator';
import { startReattachServer } from '../../src/plugin';
import { PROVIDER, PROVIDER_ADDRESS, PROVIDER_VERSION } from '../../src/provider';
import { leapingProvider, providerWith } from './leaping-provider';
import { testsExecutable, executableFolder } from '../support/executable';
import { Workspace, type CommandResult } from '../support/terraform';

export interface StackOptions extends EmulatorOptions {
  /** The block of the provider. Default: all clusters with their addresses and root tokens. */
  readonly provider?: (emulator: Emulator) => string;
  /** Further variables for the environment of terraform and of the executable. */
  readonly env?: (emulator: Emulator) => Readonly<Record<string, string>>;
  /** The terraform to run. Default: the installed one. */
  readonly binary?: string | undefined;
  /**
   * Whether terraform starts the provider, instead of using the provider in this process. Always
   * true if the tests use the executable without Node.
   */
  readonly executable?: boolean;
  /** The folder of the provider's executable. Default: that of this package. */
  readonly providerFolder?: string;
  /**
   * Whether the provider in this process uses a clock on which waits take no real time, together
   * with the emulator.
   */
  readonly leaping?: boolean;
  /** The clock of the provider in this process. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Starts clusters (by default one named `us`), and prepares a folder with the provider configured
 * for them.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const emulator = await startEmulator({ clusters: { us: 0 }, ...options });
  const leaping = options.leaping && !testsExecutable() ? leapingProvider(emulator) : undefined;
  const { workspace, init, close } = await openWorkspace({
    env: options.env?.(emulator),
    binary: options.binary,
    isStarted: options.executable,
    providerFolder: options.providerFolder,
    provider: leaping?.provider ?? (options.clock && providerWith({ clock: options.clock })),
  });
  const stack = new Stack(emulator, workspace, async () => {
    await close();
    await leaping?.close();
    await emulator.close();
  });
  stack.configure((options.provider ?? allClusters)(emulator));
  await init();
  return stack;
}

/** A folder in which terraform uses the provider. */
interface OpenWorkspace {
  readonly workspace: Workspace;
  /** Prepares terraform, after the provider's block is written. */
  readonly init: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface WorkspaceSettings {
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly binary?: string | undefined;
  /** Whether terraform starts the provider. Always true if the tests use the executable. */
  readonly isStarted?: boolean | undefined;
  readonly providerFolder?: string | undefined;
  /** The provider in this process. */
  readonly provider?: typeof PROVIDER | undefined;
}

/**
 * Opens a folder in which terraform uses the provider in this process, or starts the executable.
 */
export async function openWorkspace({
  isStarted = false,
  provider = PROVIDER,
  ...options
}: WorkspaceSettings = {}): Promise<OpenWorkspace> {
  const served =
    isStarted || testsExecutable() ? undefined : await startReattachServer(provider, PROVIDER_ADDRESS);
  const workspace = new Workspace({ env: { ...options.env, ...served?.env }, binary: options.binary });
  return {
    workspace,
    async init() {
      if (served) return;
      const path = options.providerFolder ?? (await folderUnderTest());
      workspace.place({ address: PROVIDER_ADDRESS, version: PROVIDER_VERSION, path });
      await workspace.init();
    },
    async close() {
      await workspace.dispose();
      await served?.close();
    },
  };
}

async function folderUnderTest(): Promise<string> {
  return testsExecutable() ? executableFolder() : providerPackage().folder;
}

/** The block of the provider that knows all clusters, with their root tokens. */
export function allClusters({ clusters }: Emulator): string {
  const entries = Object.values(clusters).map(
    ({ name, address, rootToken, caCertFile }) =>
      `    ${name} = { address = "${address}", token = "${rootToken}"${caCertFile ? `, ca_cert_file = "${caCertFile}"` : ''} }`,
  );
  return providerBlock(entries.join('\n'));
}

/** The block of the provider, from the entries of its `clusters`. */
export function providerBlock(clusters: string): string {
  return `provider "vaultadmin" {\n  clusters = {\n${clusters}\n  }\n}`;
}

/** Writes a resource or data source from its attributes as JSON. Timeouts become a block. */
export function block(kind: 'resource' | 'data', type: string, attributes: object, name = 'it'): string {
  const lines = Object.entries(attributes).map(([attribute, value]) =>
    attribute === 'timeouts'
      ? `  timeouts {\n${assignments(value)}\n  }`
      : assignments({ [attribute]: value }),
  );
  return `${kind} "${type}" "${name}" {\n${lines.join('\n')}\n}\n`;
}

function assignments(values: object): string {
  return Object.entries(values)
    .map(([name, value]) => `  ${name} = ${JSON.stringify(value)}`)
    .join('\n');
}

/** A resource `vaultadmin_acl_policy.it`, or with another label. */
export function aclPolicy(attributes: object, name?: string): string {
  return block('resource', 'vaultadmin_acl_policy', { policy: POLICY, ...attributes }, name);
}

/** A valid ACL policy. */
export const POLICY = 'path "secret/*" {\n  capabilities = ["read"]\n}\n';

/** The changes and messages of a command. */
export interface Report {
  readonly code: number | null;
  readonly errors: readonly Message[];
  /** The warnings, without those in `effects`. */
  readonly warnings: readonly Message[];
  /** The warnings about the effect of a plan on what policies allow. */
  readonly effects: readonly Message[];
  /** The planned changes, by address: `create`, `update`, `replace`. */
  readonly planned: Readonly<Record<string, string>>;
  /** The requests as `GET sys/policies/acl/ops`, sorted; without `rightsLookUps`. */
  readonly requests: readonly string[];
  /** The number of requests that looked up the rights of the token. */
  readonly rightsLookUps: number;
}

export interface Message {
  readonly summary: string;
  readonly detail: string;
  /** The line of the configuration that the message points at. */
  readonly line?: string;
}

/** One configuration, and its emulated clusters. `await using` closes both. */
export class Stack {
  constructor(
    readonly emulator: Emulator,
    readonly workspace: Workspace,
    readonly close: () => Promise<void>,
  ) {}

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Writes the block of the provider. */
  configure(block: string): void {
    this.workspace.write(
      'provider.tf',
      `terraform {\n  required_providers {\n    vaultadmin = {\n      source = "${PROVIDER_ADDRESS}"\n    }\n  }\n}\n${block}\n`,
    );
  }

  /** Writes everything but the block of the provider. */
  resources(hcl: string): void {
    this.workspace.write('main.tf', hcl);
  }

  /** Runs a command that reports as lines of JSON: `plan`, `apply` or `destroy`. */
  async run(command: string, ...args: readonly string[]): Promise<Report> {
    const approve = command === 'apply' || command === 'destroy' ? ['-auto-approve'] : [];
    this.emulator.requests.clear();
    const result = await this.workspace.run(command, '-json', '-input=false', ...approve, ...args);
    const all = this.emulator.requests.list().map(({ method, path }) => `${method} ${path}`);
    const requests = all.filter((request) => request !== 'POST sys/capabilities-self').sort();
    return { ...reportOf(result), requests, rightsLookUps: all.length - requests.length };
  }

  /** Like {@link run}, for a command that has to succeed without warnings. */
  async must(command: string, ...args: readonly string[]): Promise<Report> {
    const report = await this.run(command, ...args);
    expect(report).toMatchObject({ code: 0, errors: [], warnings: [] });
    return report;
  }

  /** Returns the addresses in the state. */
  async addresses(): Promise<readonly string[]> {
    return Object.keys(await this.workspace.state());
  }

  /** Sends a request with the cluster's root token, outside of Terraform. */
  async ask(
    method: string,
    path: string,
    body?: object,
    { cluster = 'us', namespace = '' } = {},
  ): Promise<Answer> {
    const { address, rootToken } = this.emulator.clusters[cluster]!;
    const response = await fetch(`${address}/v1/${path}`, {
      method,
      headers: { 'X-Vault-Token': rootToken, ...(namespace && { 'X-Vault-Namespace': namespace }) },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, ...(text === '' ? {} : (JSON.parse(text) as object)) };
  }
}

export interface Answer {
  readonly status: number;
  readonly data?: Record<string, unknown> | null;
  readonly auth?: { readonly client_token: string; readonly entity_id?: string };
}

interface JsonLine {
  readonly type?: string;
  readonly diagnostic?: Diagnostic;
  readonly change?: { readonly resource: { readonly addr: string }; readonly action: string };
}

interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail: string;
  readonly snippet?: { readonly code: string };
}

const EFFECT =
  /: the change allows (?!sensitive)|^ACL policy .* (replaces|will be deleted)|^objects will be deleted/;

function reportOf({ code, stdout, stderr }: CommandResult): Report {
  if (stderr !== '') throw new Error(stderr);
  const lines = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JsonLine);
  const messages = (severity: string) =>
    lines.flatMap(({ diagnostic }) => (diagnostic?.severity === severity ? [messageOf(diagnostic)] : []));
  const warnings = messages('warning');
  const changes = lines.flatMap(({ type, change }) => (type === 'planned_change' && change ? [change] : []));
  return {
    code,
    errors: messages('error'),
    warnings: warnings.filter(({ summary }) => !EFFECT.test(summary)),
    effects: warnings.filter(({ summary }) => EFFECT.test(summary)),
    planned: Object.fromEntries(changes.map(({ resource, action }) => [resource.addr, action])),
    requests: [],
    rightsLookUps: 0,
  };
}

function messageOf({ summary, detail, snippet }: Diagnostic): Message {
  return { summary, detail, ...(snippet && { line: snippet.code.trim() }) };
}
