import { evaluate, type EvaluateOptions, type Outcome, SentinelError } from '../sentinel';
import { egpGoverns } from './egp-paths';
import type { RequestFacts } from './facts';
import { globalsOf, importsOf } from './globals';
import type { SentinelPolicy } from './policy';

/** What one policy says of a request. */
export interface Verdict {
  readonly policy: SentinelPolicy;
  readonly passed: boolean;
  /** Why it could not be evaluated to its end: this fails it. */
  readonly error: SentinelError | undefined;
  /** What was evaluated and printed; absent if the policy does not parse. */
  readonly outcome: Outcome | undefined;
}

/** What Sentinel policies together say of a request. */
export interface Decision {
  readonly allowed: boolean;
  /** Of every policy that was evaluated: RGPs, then EGPs. */
  readonly verdicts: readonly Verdict[];
  /** The failures that deny the request. */
  readonly denials: readonly Verdict[];
  /** The failures that would deny it without the override. */
  readonly overridden: readonly Verdict[];
  /** The failures that are only told of. */
  readonly advisories: readonly Verdict[];
}

interface DecideOptions {
  /** Nanoseconds since 1970, for `time.now`. */
  readonly now: bigint;
  /** What imports stand for, beside those that Vault has. */
  readonly imports?: EvaluateOptions['imports'];
  readonly limits?: EvaluateOptions['limits'];
  /** What the server knows of the language. Default: all of it. */
  readonly language?: EvaluateOptions['language'];
  /** Sends the requests of the import `http`. Default: the import is refused, as on a server that does not enable it. */
  readonly send?: EvaluateOptions['send'];
}

/**
 * Decides on a request that its ACL policies allow: the RGPs given, all of which apply, then those of the EGPs given that
 * govern the path. EGPs are not asked if an RGP denies. A root token is not subject to any; who calls knows about that.
 */
export function decide(
  policies: readonly SentinelPolicy[],
  facts: RequestFacts,
  options: DecideOptions,
): Decision {
  const judge = (policy: SentinelPolicy) => judgeBy(policy, facts, options);
  const ofRgps = policies.filter(({ kind }) => kind === 'rgp').map(judge);
  const isDenied = ofRgps.some((verdict) => effectOf(verdict, facts) === 'denies');
  const ofEgps = isDenied ? [] : policies.filter((policy) => isGoverning(policy, facts)).map(judge);
  const verdicts = [...ofRgps, ...ofEgps];
  const having = (effect: Effect) => verdicts.filter((verdict) => effectOf(verdict, facts) === effect);
  const denials = having('denies');
  return {
    allowed: denials.length === 0,
    verdicts,
    denials,
    overridden: having('is overridden'),
    advisories: having('advises'),
  };
}

function isGoverning({ kind, namespace, paths = [] }: SentinelPolicy, facts: RequestFacts): boolean {
  return kind === 'egp' && egpGoverns({ namespace, paths }, facts);
}

type Effect = 'allows' | 'denies' | 'is overridden' | 'advises';

function effectOf({ passed, policy: { level } }: Verdict, { policyOverride = false }: RequestFacts): Effect {
  if (passed) return 'allows';
  if (level === 'advisory') return 'advises';
  return level === 'soft-mandatory' && policyOverride ? 'is overridden' : 'denies';
}

function judgeBy(
  policy: SentinelPolicy,
  facts: RequestFacts,
  { now, imports, limits, language, send }: DecideOptions,
): Verdict {
  const { program } = policy;
  if (program instanceof SentinelError) return { policy, passed: false, error: program, outcome: undefined };
  // A module that is given may read any of them.
  const globals = globalsOf(facts, imports ? undefined : program.reads);
  const outcome = evaluate(program.file, {
    globals,
    imports: new Map([...importsOf(globals), ...(imports ?? [])]),
    ...(send === undefined && { refusedImports: REFUSED_IMPORTS }),
    ...(limits && { limits }),
    ...(language && { language }),
    ...(send && { send }),
    now,
  });
  return { policy, passed: outcome.passed, error: outcome.error, outcome };
}

const REFUSED_IMPORTS: ReadonlySet<string> = new Set(['http']);
