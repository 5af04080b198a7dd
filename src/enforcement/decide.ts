import { evaluate, type EvaluateOptions, type Outcome, SentinelError } from '../sentinel';
import { egpGoverns } from './egp-paths';
import type { RequestFacts } from './request-facts';
import { globalsOf, importsOf } from './globals';
import type { SentinelPolicy } from './policy';

/** The result of one policy for a request. */
export interface Verdict {
  readonly policy: SentinelPolicy;
  readonly passed: boolean;
  /** The error that stopped the evaluation, and made the policy fail. */
  readonly error: SentinelError | undefined;
  /** The evaluation and its output; absent if the policy does not parse. */
  readonly outcome: Outcome | undefined;
}

/** The result of all Sentinel policies for a request. */
export interface Decision {
  readonly allowed: boolean;
  /** The results of every policy that was evaluated: RGPs, then EGPs. */
  readonly verdicts: readonly Verdict[];
  /** The failures that deny the request. */
  readonly denials: readonly Verdict[];
  /** The failures that would deny the request without the override. */
  readonly overridden: readonly Verdict[];
  /** The failures that are only reported. */
  readonly advisories: readonly Verdict[];
}

/** The default limits. Policies take some hundred steps, and are evaluated for every request. */
const USUAL_LIMITS = { steps: 500_000, memory: 10_000_000 };

interface DecideOptions {
  /** The time for `time.now`, in nanoseconds since 1970. */
  readonly now: bigint;
  /** Imports in addition to those of Vault. */
  readonly imports?: EvaluateOptions['imports'];
  /** The limits of a policy. Default: 500,000 steps, 10,000,000 characters and elements. */
  readonly limits?: EvaluateOptions['limits'];
  /** The language features that the server supports. Default: all. */
  readonly language?: EvaluateOptions['language'];
  /**
   * Whether an EGP's path without a final slash also applies to the LIST of the same path with a
   * final slash. Default: false.
   */
  readonly listsWithoutSlash?: boolean;
  /**
   * Sends the requests of the import `http`. Default: the import is refused, as on a server that
   * does not enable it.
   */
  readonly send?: EvaluateOptions['send'];
}

/**
 * Decides on a request that its ACL policies allow: first by the given RGPs, all of which apply,
 * then by the given EGPs for the path. EGPs are not evaluated if an RGP denies. Callers must exempt
 * root tokens.
 */
export function decide(
  policies: readonly SentinelPolicy[],
  facts: RequestFacts,
  options: DecideOptions,
): Decision {
  const verdicts: Verdict[] = [];
  const denials: Verdict[] = [];
  const overridden: Verdict[] = [];
  const advisories: Verdict[] = [];
  for (const kind of ['rgp', 'egp'] as const) {
    if (denials.length > 0) break;
    for (const policy of policies) {
      if (policy.kind !== kind || !governs(policy, facts, options)) continue;
      const verdict = judge(policy, facts, options);
      verdicts.push(verdict);
      if (verdict.passed) continue;
      if (policy.level === 'advisory') advisories.push(verdict);
      else if (policy.level === 'soft-mandatory' && facts.policyOverride === true) overridden.push(verdict);
      else denials.push(verdict);
    }
  }
  return { allowed: denials.length === 0, verdicts, denials, overridden, advisories };
}

function governs(
  { kind, namespace, paths = [] }: SentinelPolicy,
  facts: RequestFacts,
  { listsWithoutSlash }: DecideOptions,
): boolean {
  return kind === 'rgp' || egpGoverns({ namespace, paths }, facts, listsWithoutSlash);
}

function judge(
  policy: SentinelPolicy,
  facts: RequestFacts,
  { now, imports, limits = USUAL_LIMITS, language, send }: DecideOptions,
): Verdict {
  const { program } = policy;
  if (program instanceof SentinelError) return { policy, passed: false, error: program, outcome: undefined };
  // A module among `imports` may read any of the globals.
  const globals = globalsOf(facts, imports ? undefined : program.reads);
  const outcome = evaluate(program.file, {
    globals,
    imports: importsOf(globals, imports),
    refusedImports: send ? undefined : REFUSED_IMPORTS,
    limits,
    language,
    send,
    now,
  });
  return { policy, passed: outcome.passed, error: outcome.error, outcome };
}

const REFUSED_IMPORTS: ReadonlySet<string> = new Set(['http']);
