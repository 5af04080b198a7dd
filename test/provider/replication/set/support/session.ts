/**
 * The commands and the state of Terraform for a replication set, with the provider in this process.
 * A session keeps the state while processes of the provider come and go.
 */
import { UNKNOWN, defineProvider, type Attributes } from '../../../../../src/plugin';
import { applyResourceChange } from '../../../../../src/plugin/server/apply-resource-change';
import { importResourceState } from '../../../../../src/plugin/server/import-resource-state';
import { planResourceChange } from '../../../../../src/plugin/server/plan-resource-change';
import { ProviderServer } from '../../../../../src/plugin/server/provider-server';
import { readResource } from '../../../../../src/plugin/server/read-resource';
import { shapeOf } from '../../../../../src/plugin/server/shape';
import { upgradeResourceState } from '../../../../../src/plugin/server/upgrade';
import { NULL_VALUE } from '../../../../../src/plugin/wire/dynamic-value';
import {
  Diagnostic_Severity,
  type ApplyResourceChange_Request,
  type ApplyResourceChange_Response,
  type Diagnostic,
  type DynamicValue,
  type ImportResourceState_Request,
  type ImportResourceState_Response,
  type PlanResourceChange_Request,
  type PlanResourceChange_Response,
  type ReadResource_Request,
  type ReadResource_Response,
  type UpgradeResourceState_Request,
  type UpgradeResourceState_Response,
} from '../../../../../src/plugin/wire/generated/tfplugin6';
import type { Message } from '../../../../../src/model/messages';
import { Redactor } from '../../../../../src/text';
import { Clusters } from '../../../../../src/provider/clusters';
import { REPLICATION_SET_RESOURCE } from '../../../../../src/provider/replication/set/resource';
import { OPERATOR } from './clusters';
import { Random } from '../../../../model/support/random';
import { InterruptibleDispatcher, type Interrupt, type SeenRequest, type Watcher } from './interruption';
import { LeapingClock, ProcessClock } from '../../../leaping-clock';
import type { Reachable } from './wire';
import { reportingErrors } from './reported-errors';
import { withEverything } from './with-everything';

const TYPE = 'vaultadmin_perf_replication_set';
const { content, codec } = shapeOf(REPLICATION_SET_RESOURCE.schema);
const NOTHING = new Uint8Array(0);

/**
 * Terraform's error if the plan that it makes again before the apply differs from the shown one.
 */
export const INCONSISTENT = 'Provider produced inconsistent final plan';

export type Values = Readonly<Record<string, unknown>>;

export interface Outcome {
  readonly killed: boolean;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The planned steps; absent if the plan failed, null if there was no change. */
  readonly steps?: readonly string[] | null;
  /** The requests of the applying process. */
  readonly requests: readonly SeenRequest[];
}

export interface ApplyOptions {
  readonly watcher?: Watcher;
  /** Breaks requests of the applying process. */
  readonly interrupt?: Interrupt;
  /** By address in the saved plan, the address of the cluster that the apply reaches instead. */
  readonly redirect?: Readonly<Record<string, string>>;
}

/** The calls of Terraform to a provider. */
export interface Calls {
  readResource(request: ReadResource_Request): Promise<ReadResource_Response>;
  planResourceChange(request: PlanResourceChange_Request): Promise<PlanResourceChange_Response>;
  applyResourceChange(request: ApplyResourceChange_Request): Promise<ApplyResourceChange_Response>;
  importResourceState(request: ImportResourceState_Request): Promise<ImportResourceState_Response>;
  upgradeResourceState(request: UpgradeResourceState_Request): Promise<UpgradeResourceState_Response>;
  /** Stops the apply, as Ctrl-C does. */
  stop(): void;
}

/** A process of the provider, or its stand-in within this process. */
export interface Process {
  readonly calls: Calls;
  readonly seen: readonly SeenRequest[];
  /** Resolves when the process is killed. */
  readonly killed: Promise<'killed'>;
  end(): Promise<void>;
  /** Stops what is left of a killed process. */
  bury(): void;
}

type Applied = Pick<ApplyResourceChange_Response, 'newState' | 'private' | 'diagnostics'>;

/** A saved plan. Terraform refuses to apply it after any other apply. */
export interface Planned extends Pick<Outcome, 'errors' | 'warnings' | 'steps'> {
  readonly config: Values | null;
  /** The state that the plan started from. */
  readonly state?: DynamicValue;
  /** Whether the apply of this plan does nothing: the plan has no changes, or it failed. */
  readonly ends: boolean;
}

/** The values that Terraform stores between two commands. */
export class Session {
  /** All log lines, before secrets are masked. */
  readonly log: string[] = [];
  /** The messages of all errors, by their texts. */
  readonly messages = new Map<string, Message>();
  private state: DynamicValue = NULL_VALUE;
  private private: Uint8Array = NOTHING;
  private applying: Calls | undefined;

  /**
   * @param clock the clock of all processes of the session. No wait takes real time: the emulator's
   * clock leaps with it.
   */
  constructor(
    protected readonly clusters: Reachable,
    private readonly clock = leapingWith(clusters),
  ) {}

  /** Stops the apply that is under way, as Ctrl-C does. */
  stop(): void {
    this.applying?.stop();
  }

  /**
   * Returns a session with a copy of the stored values. It has its own clock unless one is given,
   * so that it can wait by itself.
   */
  copy(clusters: Reachable = this.clusters, clock = leapingWith(clusters)): Session {
    const copy = this.another(clusters, clock);
    copy.state = this.state;
    copy.private = this.private;
    return copy;
  }

  /** Returns a session with a copy of the stored values, and with the provider in this process. */
  inProcess(): Session {
    const copy = new Session(this.clusters, this.clock);
    copy.state = this.state;
    copy.private = this.private;
    return copy;
  }

  /** Returns a session of the same kind without a state. */
  another(clusters: Reachable = this.clusters, clock = leapingWith(clusters)): Session {
    return new Session(clusters, clock);
  }

  get values(): Values | null {
    return codec.decode(this.state) as Values | null;
  }

  /** The stored values, including the provider's private ones. */
  get stored(): string {
    return JSON.stringify(this.values) + Buffer.from(this.private).toString();
  }

  /**
   * Imports a set, as `terraform import` does.
   *
   * @returns the errors.
   */
  async import(id: string): Promise<readonly string[]> {
    const importing = await this.process();
    const { importedResources, diagnostics } = await importing.calls.importResourceState({
      typeName: TYPE,
      id,
      clientCapabilities: undefined,
      identity: undefined,
    });
    const [imported] = importedResources;
    if (imported === undefined) return describe(diagnostics).errors;
    const before = [this.state, this.private] as const;
    [this.state, this.private] = [imported.state ?? NULL_VALUE, imported.private];
    const { errors } = describe(await this.refresh(importing.calls));
    await importing.end();
    if (errors.length > 0) [this.state, this.private] = before;
    return errors;
  }

  /** Refreshes, plans and applies. `null` destroys. */
  async apply(wanted: Values | null, options: ApplyOptions = {}): Promise<Outcome> {
    return this.applySaved(await this.plan(wanted, options), options);
  }

  /** Refreshes and plans. `null` destroys. */
  async plan(wanted: Values | null, { watcher }: ApplyOptions = {}): Promise<Planned> {
    const config = wanted && withEverything(wanted);
    if (config === null && this.values === null) return { config, errors: [], warnings: [], ends: true };
    const planning = await this.process(watcher);
    const read = await this.refresh(planning.calls);
    const plan = read.length > 0 ? undefined : await this.planIn(planning.calls, config);
    await planning.end();
    const messages = [...read, ...(plan?.diagnostics ?? [])];
    const report = describe(messages);
    if (!plan || hasErrors(messages)) return { config, ...report, ends: true };
    const before = codec.decode(this.state) as Values | null;
    const planned = codec.decode(plan.plannedState) as Values | null;
    const same = JSON.stringify(before) === JSON.stringify(planned) && !unknowns(planned);
    return {
      config,
      state: this.state,
      ...report,
      steps: same ? null : stepsIn(plan.plannedState),
      ends: same,
    };
  }

  /** Whether the state has changed since the plan was made. */
  isStale({ state }: Planned): boolean {
    return state !== undefined && state !== this.state;
  }

  async applySaved(
    { config, steps, errors, warnings, ends }: Planned,
    options: ApplyOptions = {},
  ): Promise<Outcome> {
    const planned = { errors, warnings, ...(steps !== undefined && { steps }) };
    if (ends) return { killed: false, ...planned, requests: [] };
    const applying = await this.process(options.watcher, options.interrupt, options.redirect);
    this.applying = applying.calls;
    const applied = await Promise.race([
      this.applyPlanned(applying.calls, config, steps ?? null),
      applying.killed,
    ]);
    if (applied === 'killed') {
      // Only an apply may leave work behind when its process is killed, so only that process needs
      // this.
      applying.bury();
      return { killed: true, ...planned, requests: applying.seen };
    }
    await applying.end();
    this.state = applied.newState ?? NULL_VALUE;
    // Terraform stores no values for a destroyed object.
    this.private = this.values === null ? NOTHING : applied.private;
    const after = describe(applied.diagnostics);
    return {
      killed: false,
      ...planned,
      errors: [...errors, ...after.errors],
      warnings: [...warnings, ...after.warnings],
      requests: applying.seen,
    };
  }

  private async refresh(calls: Calls): Promise<Diagnostic[]> {
    const { values } = this;
    if (values === null) return [];
    const { upgradedState } = await calls.upgradeResourceState({
      typeName: TYPE,
      version: REPLICATION_SET_RESOURCE.schema.version!,
      rawState: { json: Buffer.from(JSON.stringify(values)) },
    });
    const {
      newState,
      private: kept,
      diagnostics,
    } = await calls.readResource({
      typeName: TYPE,
      currentState: upgradedState,
      private: this.private,
      clientCapabilities: undefined,
      currentIdentity: undefined,
    });
    this.state = newState ?? NULL_VALUE;
    this.private = kept;
    return diagnostics.filter(({ severity }) => severity === Diagnostic_Severity.ERROR);
  }

  private planIn(calls: Calls, config: Values | null) {
    return calls.planResourceChange({
      typeName: TYPE,
      priorState: this.state,
      proposedNewState: config === null ? NULL_VALUE : codec.encode(proposed(config, this.values)),
      config: config === null ? NULL_VALUE : codec.encode(completed(config)),
      priorPrivate: this.private,
      clientCapabilities: undefined,
      priorIdentity: undefined,
    });
  }

  /**
   * Plans again, as Terraform does before an apply. The answer of a killed process is not stored.
   */
  private async applyPlanned(calls: Calls, config: Values | null, steps: unknown): Promise<Applied> {
    const plan = await this.planIn(calls, config);
    if (hasErrors(plan.diagnostics)) {
      return { newState: this.state, private: this.private, diagnostics: plan.diagnostics };
    }
    const again = stepsIn(plan.plannedState);
    if (JSON.stringify(again) !== JSON.stringify(steps)) {
      const detail = `planned ${JSON.stringify(steps)}, then ${JSON.stringify(again)}`;
      const severity = Diagnostic_Severity.ERROR;
      const inconsistent = { severity, summary: INCONSISTENT, detail, attribute: undefined };
      return { newState: this.state, private: this.private, diagnostics: [inconsistent] };
    }
    return calls.applyResourceChange({
      typeName: TYPE,
      priorState: this.state,
      plannedState: plan.plannedState,
      config: config === null ? NULL_VALUE : codec.encode(completed(config)),
      plannedPrivate: plan.plannedPrivate,
      plannedIdentity: undefined,
    });
  }

  /** A process of the provider. */
  protected async process(
    watcher?: Watcher,
    interrupt?: Interrupt,
    redirect: Readonly<Record<string, string>> = {},
  ): Promise<Process> {
    const clock = new ProcessClock(this.clock);
    const { wire, emulator } = this.clusters;
    const dispatcher = new InterruptibleDispatcher(wire, clock, watcher, interrupt);
    const { clusters: running } = emulator;
    // The lengths of the waits before repeated requests are random, but the same in each run.
    const pauses = new Random(1);
    const random = () => pauses.below(1_000) / 1_000;
    const clusters = Object.keys(running).map((name) => ({
      name,
      options: { address: running[redirect[name] ?? name]!.address, dispatcher, clock, random },
      login: OPERATOR,
      usualTokenFile: false,
      unknown: [],
    }));
    const provider = defineProvider({
      name: 'vaultadmin',
      version: '0.0.0',
      schema: { attributes: {} },
      configure: () => new Clusters(clusters, { env: {}, mask: () => {} }),
      resources: [
        reportingErrors(REPLICATION_SET_RESOURCE, (text, message) => void this.messages.set(text, message)),
      ],
    });
    const server = new ProviderServer(
      provider,
      new Redactor(),
      (...line) => void this.log.push(JSON.stringify(line)),
    );
    server.configure({
      data: new Clusters(clusters, { env: {}, mask: () => {} }),
      terraformVersion: '1.11.4',
    });
    return {
      calls: {
        readResource: (request) => readResource(server, request),
        planResourceChange: (request) => planResourceChange(server, request),
        applyResourceChange: (request) => applyResourceChange(server, request),
        importResourceState: (request) => importResourceState(server, request),
        upgradeResourceState: (request) => upgradeResourceState(server, request),
        stop: () => server.stop(),
      },
      seen: dispatcher.seen,
      killed: dispatcher.killed,
      end: () => (server.configuration.data as Clusters).close(),
      bury: () => {
        server.stop();
        clock.stop();
      },
    };
  }
}

function leapingWith({ emulator }: Reachable): LeapingClock {
  return new LeapingClock((milliseconds) => emulator.clock.advance(milliseconds));
}

/** Returns a configuration with null for all missing attributes. Nested blocks are single ones. */
function completed(config: Values): Values {
  const blocks = Object.entries(content.blocks).map(([name, block]) => {
    const value = (config[name] ?? null) as Values | null;
    return [name, value && completedAttributes(value, block.attributes)] as const;
  });
  return { ...completedAttributes(config), ...Object.fromEntries(blocks) };
}

function completedAttributes(config: Values, attributes: Attributes = content.attributes): Values {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const value = config[name] ?? null;
      if (attribute.kind !== 'nested' || value === null) return [name, value];
      if (attribute.nesting === 'single')
        return [name, completedAttributes(value as Values, attribute.attributes)];
      const entries = Object.entries(value as Record<string, Values>);
      return [
        name,
        Object.fromEntries(
          entries.map(([key, each]) => [key, completedAttributes(each, attribute.attributes)]),
        ),
      ];
    }),
  );
}

/**
 * Returns the values that Terraform proposes: the configuration, and the state for computed
 * attributes.
 */
function proposed(config: Values, state: Values | null, attributes: Attributes = content.attributes): Values {
  const whole =
    attributes === content.attributes ? completed(config) : completedAttributes(config, attributes);
  const values = Object.entries(attributes).map(([name, attribute]): readonly [string, unknown] => {
    const [value, before] = [whole[name], state?.[name] ?? null];
    if (value === null) {
      const { computed, default: fallback } = attribute.options;
      return [name, computed || fallback !== undefined ? before : null];
    }
    if (attribute.kind !== 'nested' || attribute.nesting === 'single') return [name, value];
    const entries = Object.entries(value as Record<string, Values>).map(([key, each]) => [
      key,
      proposed(each, (before as Record<string, Values> | null)?.[key] ?? null, attribute.attributes),
    ]);
    return [name, Object.fromEntries(entries)];
  });
  return { ...whole, ...Object.fromEntries(values) };
}

function stepsIn(planned: DynamicValue | undefined): readonly string[] | null {
  const values = codec.decode(planned) as Values | null;
  const steps = values?.steps ?? null;
  return (steps as unknown) === UNKNOWN ? null : (steps as readonly string[] | null);
}

function unknowns(values: Values | null): boolean {
  return Object.values(values ?? {}).some((value) => value === UNKNOWN);
}

function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === Diagnostic_Severity.ERROR);
}

function describe(diagnostics: readonly Diagnostic[]) {
  const of = (wanted: Diagnostic_Severity) =>
    diagnostics
      .filter(({ severity }) => severity === wanted)
      .map(({ summary, detail }) => `${summary}\n${detail}`);
  return { errors: of(Diagnostic_Severity.ERROR), warnings: of(Diagnostic_Severity.WARNING) };
}
