import fc from 'fast-check';
import type { Provider } from '../../../src/plugin';
import type { ObjectValue } from '../../../src/plugin/server/content';
import { planResourceChange } from '../../../src/plugin/server/plan-resource-change';
import { ProviderServer } from '../../../src/plugin/server/provider-server';
import { shapeOf } from '../../../src/plugin/server/shape';
import { NULL_VALUE } from '../../../src/plugin/wire/dynamic-value';
import { Diagnostic_Severity } from '../../../src/plugin/wire/generated/tfplugin6';
import { Redactor } from '../../../src/text';
import {
  anyCase,
  applied,
  uniformCases,
  wholeConfiguration,
  type Case,
  type Samples,
} from './configurations';
import { proposedNew } from './proposed';
import { brokenPromises, planViolations } from './rules';

/** The result of a provider's `configure`. */
export interface Configured {
  readonly data: unknown;
  /** The same configuration with all values known. */
  readonly whenKnown: unknown;
}

export interface Conformance {
  readonly provider: Provider;
  /** The type of a resource, including the provider's name. */
  readonly type: string;
  /** By description for messages, the configurations of the provider. */
  readonly configurations: Readonly<Record<string, Configured>>;
  readonly samples?: Samples;
  /** The number of random configurations, in addition to the uniform ones. */
  readonly rounds: number;
  readonly seed?: number;
}

/**
 * By configuration of the provider, the number of the resource's configurations that led to a plan
 * and not to an error.
 */
export type Planned = Readonly<Record<string, number>>;

/**
 * Plans a resource with arguments that are known, unknown and left out in all combinations, under
 * every configuration of its provider.
 *
 * @throws Error with the smallest configuration whose plan breaks a rule of Terraform
 */
export async function expectConformance({
  provider,
  type,
  configurations,
  samples = {},
  rounds,
  seed = Math.floor(Math.random() * 2 ** 31),
}: Conformance): Promise<Planned> {
  const { schema } = new ProviderServer(provider, new Redactor(), () => {}).resource(type);
  const { content, codec } = shapeOf(schema);
  const plans = Object.fromEntries(Object.keys(configurations).map((where) => [where, 0]));

  const known = Object.values(configurations)[0]!.whenKnown;
  const whole = wholeConfiguration(content, samples);
  const first = await plan(known, null, whole);
  if (!first) throw new Error(`${type}: a configuration with everything in it cannot be planned`);
  const existing = applied(content, first);

  const inputs = fc.record({
    each: anyCase(content, samples),
    where: fc.constantFrom(...Object.keys(configurations)),
    exists: fc.boolean(),
  });
  const property = fc.asyncProperty(inputs, async ({ each, where, exists }) => {
    const problems = await problemsOf(each, where, exists ? existing : null);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });
  const always = uniformCases(content, samples).flatMap((each) =>
    Object.keys(configurations).flatMap((where) =>
      [false, true].map((exists): [{ each: Case; where: string; exists: boolean }] => [
        { each, where, exists },
      ]),
    ),
  );
  const result = await fc.check(property, { numRuns: always.length + rounds, seed, examples: always });
  if (result.failed) {
    const reason = result.errorInstance instanceof Error ? result.errorInstance.message : '';
    throw new Error(`${type} (seed ${seed}):\n${reason}\n${fc.defaultReportMessage(result)}`);
  }
  return plans;

  async function problemsOf({ config, whenKnown }: Case, where: string, prior: ObjectValue | null) {
    const { data, whenKnown: then } = configurations[where]!;
    const planned = await plan(data, prior, config);
    if (!planned) return [];
    plans[where]! += 1;
    const problems = planViolations(content, { planned, config, prior });
    const final = await plan(then, prior, whenKnown);
    return final ? [...problems, ...brokenPromises(planned, final)] : problems;
  }

  /** Returns a plan; `undefined` if the provider refuses the configuration. */
  async function plan(
    data: unknown,
    prior: ObjectValue | null,
    config: ObjectValue,
  ): Promise<ObjectValue | undefined> {
    const server = new ProviderServer(provider, new Redactor(), () => {});
    server.configure({ data, terraformVersion: '1.11.4' });
    const { plannedState, diagnostics } = await planResourceChange(server, {
      typeName: type,
      priorState: prior ? codec.encode(prior) : NULL_VALUE,
      proposedNewState: codec.encode(proposedNew(content, prior, config)),
      config: codec.encode(config),
      priorPrivate: new Uint8Array(0),
      clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed: true },
      priorIdentity: undefined,
    });
    if (rounds === 0)
      console.log(
        JSON.stringify(codec.decode(codec.encode(config)), (k, v) => (typeof v === 'symbol' ? 'UNK' : v)),
        JSON.stringify(diagnostics),
      );
    if (diagnostics.some(({ severity }) => severity === Diagnostic_Severity.ERROR)) return undefined;
    return codec.decode(plannedState) as ObjectValue;
  }
}
