import { advice } from './advice';
import { defectText } from '../defect';
import { isRecord } from '../../text';
import { refuseDeepJson } from '../wire/levels';
import type {
  ClientCapabilities,
  ConfiguredContext,
  DeferralContext,
  DeferralReason,
  Log,
  LogFields,
  PrivateStateContext,
  PrivateState,
} from '../author/context';
import { DiagnosticError, Diagnostics, type Path } from '../author/diagnostics';
import type { Plan } from '../author/inferred';
import type { Schema } from '../author/schema';
import type { LogLevel } from '../wire/log';
import { complete, type Content, type ObjectValue } from './content';
import {
  ComparedSecrets,
  exposureIn,
  exposureInAny,
  shownNowhere,
  type Exposure,
  type IsShown,
  type KnownSecrets,
} from './credentials';
import { pathText } from './paths';
import type { ProviderServer } from './provider-server';
import { Deferred_Reason, type Deferred } from '../wire/generated/tfplugin6';

const REASONS: Record<DeferralReason, Deferred_Reason> = {
  resource_config_unknown: Deferred_Reason.RESOURCE_CONFIG_UNKNOWN,
  provider_config_unknown: Deferred_Reason.PROVIDER_CONFIG_UNKNOWN,
  absent_prereq: Deferred_Reason.ABSENT_PREREQ,
};

/** Thrown to end a handler that defers its resource. */
export class Deferral extends Error {
  constructor(readonly reason: DeferralReason) {
    super(`deferred: ${reason}`);
  }
}

interface CallOptions {
  /** The name of the call in Terraform's protocol, for the log. */
  readonly rpc: string;
  readonly typeName?: string;
  readonly client?: ClientCapabilities | undefined;
  readonly privateBytes?: Uint8Array | undefined;
  /** Whether masked secrets are credentials of the provider. */
  readonly configures?: boolean;
}

const NO_BYTES = new Uint8Array(0);
const NO_CAPABILITIES: ClientCapabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: false };

/**
 * A call of Terraform: the context of its handlers. The type of each handler shows which part of
 * the context it may use. Methods can be destructured.
 */
export class Call implements ConfiguredContext<unknown>, DeferralContext, PrivateStateContext {
  readonly diagnostics = new Diagnostics();
  readonly clientCapabilities: ClientCapabilities;
  readonly privateState: PrivateValues;
  readonly signal: AbortSignal;
  readonly replacements: Path[] = [];
  /** The latest state that was given to `keep`. */
  kept: ObjectValue | undefined;

  readonly #server: ProviderServer;
  readonly #options: CallOptions;
  readonly #known: KnownSecrets;

  constructor(server: ProviderServer, options: CallOptions) {
    this.#server = server;
    this.#options = options;
    this.#known = { credentials: server.credentials, own: new ComparedSecrets() };

    this.clientCapabilities = options.client ?? NO_CAPABILITIES;
    this.privateState = new PrivateValues(options.privateBytes ?? NO_BYTES);
    this.signal = server.stopSignal;
  }

  get providerData(): unknown {
    return this.#server.configuration.data;
  }

  get terraformVersion(): string {
    return this.#server.configuration.terraformVersion;
  }

  get log(): Log {
    const at = (level: LogLevel) => (message: string, fields?: LogFields) =>
      this.#server.log(level, message, {
        tf_rpc: this.#options.rpc,
        tf_type: this.#options.typeName,
        ...fields,
      });
    return { trace: at('trace'), debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  }

  readonly mask = (secret: string): void => {
    this.#server.secrets.add(secret);
    (this.#options.configures ? this.#known.credentials : this.#known.own).add(secret);
  };

  /**
   * Returns an object for a plan or a state.
   *
   * @throws DiagnosticError if it contains a secret: servers may repeat received secrets in any
   *   value.
   */
  compared<O extends ObjectValue | null>(content: Content, object: O, isShown: IsShown): O {
    const exposure = exposureIn(content, object, isShown, this.#known);
    if (exposure) throw exposed(exposure);
    return object;
  }

  /**
   * Returns the object with null for each attribute or block that contains a secret, and reports
   * these.
   */
  withoutSecrets(content: Content, object: ObjectValue, isShown: IsShown): ObjectValue {
    const rest = { ...object };
    for (;;) {
      const exposure = exposureIn(content, rest, isShown, this.#known);
      if (!exposure) return complete(content, rest);
      this.#report(exposed(exposure));
      delete rest[exposure.path[0]!];
    }
  }

  /** Returns the identity of an object, with the same check as {@link compared}. */
  comparedIdentity(identity: ObjectValue): ObjectValue {
    const exposure = exposureInAny(identity, shownNowhere, this.#known);
    if (exposure) throw exposed(exposure);
    return identity;
  }

  /**
   * Returns the private state to store: the previous one if the new one contains a secret, which is
   * reported.
   */
  storedPrivate(): Uint8Array {
    const { changed } = this.privateState;
    const exposure = changed && exposureInAny(changed, shownNowhere, this.#known);
    if (!exposure) return this.privateState.toBytes();
    this.#report(exposed({ ...exposure, path: ['private', ...exposure.path] }));
    return this.#options.privateBytes ?? NO_BYTES;
  }

  readonly defer = (reason: DeferralReason): never => {
    throw new Deferral(reason);
  };

  readonly requireReplace = (path: Path): void => {
    this.replacements.push(path);
  };

  readonly keep = (state: Plan<Schema>): void => {
    this.kept = state;
  };

  /**
   * Runs a handler. An error becomes a diagnostic: one for the user, or about a defect of the
   * provider.
   *
   * @returns the result of the handler; a `Deferral` if it deferred the resource; `undefined` if it
   *   failed.
   */
  async run<R>(handler: () => R | Promise<R>): Promise<R | Deferral | undefined> {
    try {
      return await handler();
    } catch (error) {
      if (error instanceof Deferral && this.clientCapabilities.deferralAllowed) return error;
      this.#report(error);
      return undefined;
    }
  }

  #report(error: unknown): void {
    if (error instanceof Deferral) {
      this.diagnostics.error(...deferralRefused(error.reason));
    } else if (error instanceof DiagnosticError) {
      this.diagnostics.error(error.summary, error.detail, error.path);
    } else {
      this.log.error('the provider failed unexpectedly', { error });
      this.diagnostics.error(...defectText(error));
    }
  }
}

function deferralRefused(reason: DeferralReason): [summary: string, detail: string] {
  const why: Record<DeferralReason, string> = {
    resource_config_unknown:
      'Part of its configuration is known only after another resource has been applied.',
    provider_config_unknown:
      'Part of the configuration of the provider is known only after another resource has been applied.',
    absent_prereq: 'Something that it requires does not exist yet.',
  };
  return [
    'Not enough is known yet',
    `${why[reason]} Apply what it depends on first, for example with -target, and this resource afterwards.`,
  ];
}

/**
 * Returns the error about an exposed secret. The text names the attribute, because with a path,
 * Terraform would print that line of the configuration; part of the path may be secret.
 */
function exposed({ path, isCredential }: Exposure): DiagnosticError {
  const secret = isCredential ? 'a credential of the provider' : 'a secret of this object';
  return new DiagnosticError(
    `${pathText(path)} contains ${secret}`,
    `The provider received ${secret} in a value that is not secret, and stored nothing of it: plans and states show such values.\n` +
      advice(
        'find out why the server returns it, and replace the secret: others may read the same value. If the two are the ' +
          'same by chance, use another secret',
      ),
  );
}

/** Returns the message of the protocol about a deferral. */
export function deferredMessage(reason: DeferralReason): Deferred {
  return { reason: REASONS[reason] };
}

/** The private state of one resource during one call. */
class PrivateValues implements PrivateState {
  #changed: Record<string, unknown> | undefined;

  readonly #stored: Uint8Array;

  /** @param stored the private state that Terraform stored; empty for a new resource. */
  constructor(stored: Uint8Array) {
    this.#stored = stored;
  }

  get(key: string): unknown {
    return this.#values()[key];
  }

  set(key: string, value: unknown): void {
    this.#changed = { ...this.#values(), [key]: value };
  }

  /** The values after a change; `undefined` without a change. */
  get changed(): Readonly<Record<string, unknown>> | undefined {
    return this.#changed;
  }

  /** Returns the private state for Terraform to store. */
  toBytes(): Uint8Array {
    return this.#changed ? Buffer.from(JSON.stringify(this.#changed)) : this.#stored;
  }

  #values(): Record<string, unknown> {
    if (this.#changed) return this.#changed;
    if (this.#stored.length === 0) return {};
    return readPrivate(this.#stored);
  }
}

/** @throws DiagnosticError if the private state was changed by something else than a provider. */
function readPrivate(stored: Uint8Array): Record<string, unknown> {
  let values: unknown;
  try {
    values = JSON.parse(refuseDeepJson(Buffer.from(stored).toString()));
  } catch {
    values = undefined;
  }
  if (isRecord(values)) return values;
  throw new DiagnosticError(
    'The private data of this object in the state is not valid',
    'The provider stores a JSON object there, so something else has changed the state. Nothing was changed.\n' +
      advice(
        'restore an earlier version of the state. If there is none, remove the object from the state (terraform state rm), ' +
          'and import it again',
      ),
  );
}
