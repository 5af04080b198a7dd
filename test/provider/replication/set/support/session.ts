/** A replication set as Terraform keeps it, with the provider in this process: its state lives, its processes do not. */
import { UNKNOWN, defineProvider, type Attributes } from '../../../../../src/plugin';
import { applyResourceChange } from '../../../../../src/plugin/server/apply-resource-change';
import { planResourceChange } from '../../../../../src/plugin/server/plan-resource-change';
import { ProviderServer } from '../../../../../src/plugin/server/provider-server';
import { readResource } from '../../../../../src/plugin/server/read-resource';
import { shapeOf } from '../../../../../src/plugin/server/shape';
import { NULL_VALUE } from '../../../../../src/plugin/wire/dynamic-value';
import {
  Diagnostic_Severity,
  type ApplyResourceChange_Response,
  type Diagnostic,
  type DynamicValue,
} from '../../../../../src/plugin/wire/generated/tfplugin6';
import { Redactor } from '../../../../../src/text';
import type { Emulator } from '../../../../../src/emulator';
import { Clusters } from '../../../../../src/provider/clusters';
import { REPLICATION_SET_RESOURCE } from '../../../../../src/provider/replication/set';
import { OPERATOR } from './clusters';
import { InterruptibleDispatcher, type Interrupt, type Watcher } from './interruption';
import { LeapingClock } from '../../../leaping-clock';
import { withEverything } from './with-everything';

const TYPE = 'vaultadmin_perf_replication_set';
const { content, codec } = shapeOf(REPLICATION_SET_RESOURCE.schema);
const NOTHING = new Uint8Array(0);

export type Values = Readonly<Record<string, unknown>>;

export interface Outcome {
  readonly killed: boolean;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** As planned; absent where the plan failed, null where nothing was to be done. */
  readonly steps?: readonly string[] | null;
  /** The requests of the applying process. */
  readonly requests: InterruptibleDispatcher['seen'];
}

export interface ApplyOptions {
  readonly watcher?: Watcher;
  /** Breaks requests of the applying process. */
  readonly interrupt?: Interrupt;
  /** The clusters that the applying process finds at the addresses of others: the plan was saved. */
  readonly redirect?: Readonly<Record<string, string>>;
}

type Applied = Pick<ApplyResourceChange_Response, 'newState' | 'private' | 'diagnostics'>;

/** What Terraform stores between two commands. */
export class Session {
  /** Everything that was logged, before secrets are masked in it. */
  readonly log: string[] = [];
  private state: DynamicValue = NULL_VALUE;
  private private: Uint8Array = NOTHING;
  private applying: ProviderServer | undefined;

  constructor(private readonly emulator: Emulator) {}

  /** Stops the apply that is under way, as Ctrl-C does. */
  stop(): void {
    this.applying?.stop();
  }

  /** A session that stores the same. */
  copy(emulator: Emulator): Session {
    const copy = new Session(emulator);
    copy.state = this.state;
    copy.private = this.private;
    return copy;
  }

  get values(): Values | null {
    return codec.decode(this.state) as Values | null;
  }

  /** What Terraform has stored, private values included. */
  get stored(): string {
    return JSON.stringify(this.values) + Buffer.from(this.private).toString();
  }

  /** Refreshes, plans and applies. `null` destroys. */
  async apply(wanted: Values | null, options: ApplyOptions = {}): Promise<Outcome> {
    const config = wanted && withEverything(wanted);
    if (config === null && this.values === null)
      return { killed: false, errors: [], warnings: [], requests: [] };
    const planning = this.process(options.watcher);
    const read = await this.refresh(planning.server);
    const plan = read.length > 0 ? undefined : await this.plan(planning.server, config);
    await planning.end();
    const messages = [...read, ...(plan?.diagnostics ?? [])];
    const report = (more: readonly Diagnostic[] = []) => describe([...messages, ...more]);
    if (!plan || hasErrors(messages)) return { killed: false, ...report(), requests: [] };
    const steps = stepsIn(plan.plannedState);
    const before = codec.decode(this.state) as Values | null;
    const planned = codec.decode(plan.plannedState) as Values | null;
    if (JSON.stringify(before) === JSON.stringify(planned) && !unknowns(planned)) {
      return { killed: false, ...report(), steps: null, requests: [] };
    }

    const applying = this.process(options.watcher, options.interrupt, options.redirect);
    const { dispatcher } = applying;
    this.applying = applying.server;
    const applied = await Promise.race([
      this.applyPlanned(applying.server, config, steps),
      dispatcher.killed,
    ]);
    if (applied === 'killed') {
      // Nothing of it goes on by itself.
      applying.server.stop();
      applying.clock.stop();
      return { killed: true, ...report(), steps, requests: dispatcher.seen };
    }
    await applying.end();
    this.state = applied.newState ?? NULL_VALUE;
    this.private = applied.private;
    return { killed: false, ...report(applied.diagnostics), steps, requests: dispatcher.seen };
  }

  private async refresh(server: ProviderServer): Promise<Diagnostic[]> {
    if (this.values === null) return [];
    const {
      newState,
      private: kept,
      diagnostics,
    } = await readResource(server, {
      typeName: TYPE,
      currentState: this.state,
      private: this.private,
      clientCapabilities: undefined,
      currentIdentity: undefined,
    });
    this.state = newState ?? NULL_VALUE;
    this.private = kept;
    return diagnostics.filter(({ severity }) => severity === Diagnostic_Severity.ERROR);
  }

  private plan(server: ProviderServer, config: Values | null) {
    return planResourceChange(server, {
      typeName: TYPE,
      priorState: this.state,
      proposedNewState: config === null ? NULL_VALUE : codec.encode(proposed(config, this.values)),
      config: config === null ? NULL_VALUE : codec.encode(completed(config)),
      priorPrivate: this.private,
      clientCapabilities: undefined,
      priorIdentity: undefined,
    });
  }

  /** Plans again, as Terraform does before it applies. What a killed process answers is not stored. */
  private async applyPlanned(
    server: ProviderServer,
    config: Values | null,
    steps: unknown,
  ): Promise<Applied> {
    const plan = await this.plan(server, config);
    if (hasErrors(plan.diagnostics)) {
      return { newState: this.state, private: this.private, diagnostics: plan.diagnostics };
    }
    expect(stepsIn(plan.plannedState)).toEqual(steps);
    return applyResourceChange(server, {
      typeName: TYPE,
      priorState: this.state,
      plannedState: plan.plannedState,
      config: config === null ? NULL_VALUE : codec.encode(completed(config)),
      plannedPrivate: plan.plannedPrivate,
      plannedIdentity: undefined,
    });
  }

  /** A process of the provider, in which nobody waits for real: the emulator's time leaps with its own. */
  private process(watcher?: Watcher, interrupt?: Interrupt, redirect: Readonly<Record<string, string>> = {}) {
    const clock = new LeapingClock((milliseconds) => this.emulator.clock.advance(milliseconds));
    const dispatcher = new InterruptibleDispatcher(clock, watcher, interrupt);
    const { clusters: running } = this.emulator;
    const clusters = Object.keys(running).map((name) => ({
      name,
      options: { address: running[redirect[name] ?? name]!.address, dispatcher, clock },
      login: OPERATOR,
      usualTokenFile: false,
      unknown: [],
    }));
    const provider = defineProvider({
      name: 'vaultadmin',
      version: '0.0.0',
      schema: { attributes: {} },
      configure: () => new Clusters(clusters, { env: {}, mask: () => {} }),
      resources: [REPLICATION_SET_RESOURCE],
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
    return { server, dispatcher, clock, end: () => (server.configuration.data as Clusters).close() };
  }
}

/** A configuration with null for all that it leaves out. Its blocks are single ones. */
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

/** What Terraform proposes: the configuration, and the state for what is computed. */
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
