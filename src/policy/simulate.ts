import type { IConstruct } from 'constructs';
import { compilePolicy, decide, denialTexts, type SentinelPolicy, type Verdict } from '../enforcement';
import type { EnforcementLevel } from '../model';
import { sentinelOf } from '../model/sentinel';
import {
  fromHost,
  parse,
  renderTrace,
  SentinelError,
  toHost,
  type ImportSource,
  type LanguageVersion,
} from '../sentinel';
import { policyDoesNotParse, unknownServerVersion } from './messages';
import { namespaceAt, type SimulatedRequest } from './simulated-request';
import { readSentinelPolicy } from './sentinel-sources';
import type { ExpressionValues } from './known-text';

/**
 * An RGP or EGP: a construct of an app, the path of a file `*.sentinel`, or the text of a policy.
 * Texts and files are evaluated as hard-mandatory EGPs on every path, unless the options differ.
 */
export type SentinelPolicySource = IConstruct | string;

/** The options for the evaluation of a policy. The properties of a construct take precedence. */
export interface SimulateOptions {
  /**
   * Whether the text is an RGP or an EGP. RGPs do not apply to requests without a token.
   *
   * @default 'egp'
   */
  readonly kind?: 'rgp' | 'egp' | undefined;

  /** @default 'hard-mandatory' */
  readonly level?: EnforcementLevel | undefined;

  /**
   * The paths that an EGP governs.
   *
   * @default ['*']
   */
  readonly paths?: readonly string[] | undefined;

  /**
   * Data that replaces the server's imports: `{ http: … }`.
   *
   * @default - none: the import `http` is refused
   */
  readonly mocks?: Readonly<Record<string, unknown>> | undefined;

  /**
   * Sentinel texts that replace the server's imports.
   *
   * @default - none
   */
  readonly mockModules?: Readonly<Record<string, string>> | undefined;

  /**
   * The version of the server, such as `1.16`: a policy that requires a newer Sentinel denies every
   * request.
   *
   * @default - the version of the construct's cluster; otherwise, every known feature is
   *   supported
   */
  readonly serverVersion?: string | undefined;

  /**
   * Values in a construct's text that are only known to Terraform, by their references in the app:
   * `{ 'var.network': '10.0.0.0/8' }`.
   *
   * @default - none: a text with an expression in it is refused
   */
  readonly values?: ExpressionValues | undefined;
}

/** The result for a request. */
export interface Simulation {
  /**
   * The decision of the policy itself, regardless of its enforcement level. A policy that cannot be
   * evaluated denies.
   */
  readonly decision: 'allow' | 'deny';
  /**
   * Whether the server refuses the request, after the enforcement level and a possible override.
   */
  readonly refused: boolean;
  /**
   * The rule that decided: `main`. `undefined` if the policy does not apply to the request, or
   * stopped with an error.
   */
  readonly rule: 'main' | undefined;
  /** The value of `main`. */
  readonly main: unknown;
  /** The rules that were evaluated, with their values. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** The error that stopped the policy, with its position. */
  readonly error: string | undefined;
  readonly printed: readonly string[];
  /** The output of the policy and the rules that were evaluated, with their positions. */
  readonly trace: string;
  /** Whether the policy applies to the request. If not, the decision is `allow`. */
  readonly governs: boolean;
  /** The reason why the policy does not apply. */
  readonly exempt: 'root token' | 'no token' | 'other path' | undefined;
  readonly level: EnforcementLevel;
  /** The server's answer, if it refuses the request. */
  readonly message: string | undefined;
}

/**
 * Evaluates an RGP or EGP for a request, without a server.
 *
 * ```ts
 * const night = requestTo('update', 'secret/data/app', { time: '2026-01-31T22:00:00Z' });
 * expect(simulate(policy, night)).toMatchObject({ decision: 'deny', rule: 'main' });
 * ```
 *
 * @throws PolicySourceError if the policy does not exist, does not parse, or is not known yet; or
 *   for an unknown version.
 */
export function simulate(
  source: SentinelPolicySource,
  request: SimulatedRequest,
  options: SimulateOptions = {},
): Simulation {
  const { serverVersion, ...read } = readSentinelPolicy(source, options);
  const policy = compilePolicy(read);
  if (policy.program instanceof SentinelError) throw policyDoesNotParse(policy.program);
  const { namespace } = policy;
  const facts = request.hasNamespace
    ? request.facts
    : { ...request.facts, namespace: namespaceAt(namespace) };
  const exempt = exemption(policy, facts.token?.policies);
  if (exempt) return notAsked(policy, exempt);
  const imports = importsOf(options);
  const language = languageOf(options.serverVersion ?? serverVersion);
  const decision = decide([policy], facts, {
    now: request.now,
    ...(imports.size > 0 && { imports }),
    ...(language && { language }),
  });
  const [verdict] = decision.verdicts;
  if (!verdict) return notAsked(policy, 'other path');
  const message = decision.allowed ? undefined : denialTexts(decision, true).join('\n\n');
  return { ...asked(policy, verdict), refused: !decision.allowed, message };
}

function languageOf(serverVersion: string | undefined): LanguageVersion | undefined {
  if (serverVersion === undefined) return undefined;
  const language = sentinelOf(serverVersion);
  if (language === undefined) throw unknownServerVersion(serverVersion);
  return language;
}

function exemption(
  { kind }: SentinelPolicy,
  tokenPolicies: readonly string[] | undefined,
): Simulation['exempt'] {
  if (tokenPolicies?.includes('root')) return 'root token';
  return kind === 'rgp' && !tokenPolicies ? 'no token' : undefined;
}

function notAsked({ level }: SentinelPolicy, exempt: Simulation['exempt']): Simulation {
  return {
    decision: 'allow',
    refused: false,
    rule: undefined,
    main: undefined,
    rules: {},
    error: undefined,
    printed: [],
    trace: '',
    governs: false,
    exempt,
    level,
    message: undefined,
  };
}

function asked(
  { level }: SentinelPolicy,
  { passed, error, outcome }: Verdict,
): Omit<Simulation, 'refused' | 'message'> {
  const main = outcome?.main;
  return {
    decision: passed ? 'allow' : 'deny',
    rule: main === undefined || error ? undefined : 'main',
    main: main === undefined ? undefined : toHost(main),
    rules: Object.fromEntries((outcome?.rules ?? []).map(({ name, value }) => [name, toHost(value)])),
    error: error?.message,
    printed: outcome?.printed ?? [],
    trace: outcome ? renderTrace(outcome) : '',
    governs: true,
    exempt: undefined,
    level,
  };
}

function importsOf({ mocks = {}, mockModules = {} }: SimulateOptions): ReadonlyMap<string, ImportSource> {
  return new Map<string, ImportSource>([
    ...Object.entries(mocks).map(([name, data]) => [name, { kind: 'data', data: fromHost(data) }] as const),
    ...Object.entries(mockModules).map(
      ([name, text]) => [name, { kind: 'module', file: parse(text, name) }] as const,
    ),
  ]);
}
