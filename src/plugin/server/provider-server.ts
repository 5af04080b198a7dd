import { Defect } from '../defect';
import { setMaxListeners } from 'node:events';
import type { Redactor } from '../../text';
import type { ObjectKind, ObjectOf, Provider, ProviderObjects } from '../author/provider';
import type { Resource } from '../author/resource';
import type { DeferralReason } from '../author/context';
import type { LogWriter } from '../wire/log';
import { ComparedSecrets } from './credentials';

/** The result of `configure`. */
interface Configuration {
  readonly data: unknown;
  readonly terraformVersion: string;
  /** The reason if `configure` deferred everything. */
  readonly deferred?: DeferralReason;
}

/** The time limit for `shutdown` in milliseconds: Terraform kills the process after two seconds. */
const SHUTDOWN_TIME = 1500;

/** The state that all calls of a connection share. */
export class ProviderServer {
  /**
   * The secrets in configurations, and those that were received for them, such as the token of a
   * login.
   */
  readonly credentials = new ComparedSecrets();
  #current: Configuration | undefined;
  readonly #made: unknown[] = [];
  #stopping = stopController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(
    readonly provider: Provider,
    readonly secrets: Redactor,
    readonly log: LogWriter,
  ) {}

  resource(typeName: string): Resource {
    return this.definition('resources', typeName);
  }

  /** Returns the definition of a type, such as `vaultadmin_acl_policy`. */
  definition<K extends ObjectKind>(kind: K, typeName: string): ObjectOf<K> {
    const { name: provider } = this.provider;
    const definition = typeName.startsWith(`${provider}_`)
      ? this.find(kind, typeName.slice(provider.length + 1))
      : undefined;
    if (!definition) throw new Defect(`the provider ${provider} has no ${typeName}`);
    return definition;
  }

  /** Returns the object of a name without the provider's, from the part that has it. */
  find<K extends ObjectKind>(kind: K, name: string): ObjectOf<K> | undefined {
    const part = this.provider.parts?.find(({ names }) => names.includes(name));
    const objects: ProviderObjects<unknown> = part ? part.load() : this.provider;
    const ofKind: readonly ObjectOf<K>[] = objects[kind] ?? [];
    return ofKind.find((each) => each.name === name);
  }

  /**
   * Returns the latest configuration. In reattach mode, one process serves every command and every
   * alias of the provider, and the protocol does not say which configuration a call belongs to:
   * there, the latest one is used for all.
   */
  get configuration(): Configuration {
    if (!this.#current) throw new Defect('the provider was not configured');
    return this.#current;
  }

  configure(configuration: Configuration): void {
    this.#current = configuration;
    this.#made.push(configuration.data);
    // In reattach mode, other commands can follow a stopped one: each begins with a configuration.
    if (this.#stopping.signal.aborted) this.#stopping = stopController();
  }

  get stopSignal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Asks handlers to end, including those of calls that Terraform sent at the same time. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Runs a call; {@link finish} waits for it. */
  async track<T>(call: () => Promise<T>): Promise<T> {
    const running = call();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /**
   * Asks handlers to end, and waits until no call is running.
   *
   * @returns whether a call was running.
   */
  async finish(): Promise<boolean> {
    this.stop();
    const wasBusy = this.isBusy;
    while (this.isBusy) await Promise.allSettled(this.#running);
    return wasBusy;
  }

  /** Makes the provider release its resources, within the time limit of Terraform. */
  async shutdown(): Promise<void> {
    const data = this.#made.splice(0);
    if (!this.provider.shutdown || data.length === 0) return;
    const late = new Promise<void>((resolve) => setTimeout(resolve, SHUTDOWN_TIME).unref());
    const done = Promise.all(data.map(async (each) => this.provider.shutdown?.(each)));
    try {
      await Promise.race([done, late]);
    } catch (error) {
      this.log('warn', 'the provider did not shut down cleanly', { error });
    }
  }
}

/**
 * Creates a controller without Node's warning about many listeners: every running handler may add
 * one.
 */
function stopController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
