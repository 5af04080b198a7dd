import {
  AclPolicySet,
  explainRequest,
  explanationLines,
  openLines,
  refusalText,
  requestText,
  type AclOperation,
  type AclRequest,
} from '../../../model';
import { EXIT, type ExitCode } from '../../exit-codes';
import { printJson, printWrapped } from '../../output/print';
import { styleFor } from '../../output/style';
import { mayDecideOn, reportFaults } from '../sources/policy-source';
import type { SourceFlags } from '../sources/read-set';
import { readLimitedSet, type AgentFlags } from './agent-limits';
import { explanationJson, type ExplanationJson } from './json';
import { rulesLine, unfilledLines } from './messages';

export interface RequestFlags extends SourceFlags, AgentFlags {
  readonly data?: Readonly<Record<string, unknown>>;
  /** The TTL in seconds. */
  readonly wrapTtl?: number;
  readonly json?: boolean;
}

/** The JSON that `policy can` and `policy why` print. @public */
export interface RequestReport extends ExplanationJson {
  /** The policies that allow the request on their own. */
  readonly policiesThatAllowIt: readonly string[];
  /** The version of the server whose rules were followed. */
  readonly serverVersion: string;
}

/**
 * Decides on a request: `can` prints in one line whether it is allowed, `why` prints all reasons.
 */
export async function explain(
  [command, operation, path, sources]: readonly ['can' | 'why', AclOperation, string, readonly string[]],
  flags: RequestFlags,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const read = await readLimitedSet(sources, flags, env);
  if (!read) return EXIT.unknown;
  const { set, faults, version } = read;
  const request: AclRequest = {
    operation,
    path: path.replace(/^\/v1\//, ''),
    ...(flags.data && { data: flags.data }),
    ...(flags.wrapTtl !== undefined && { wrapTtl: flags.wrapTtl }),
  };
  const explanation = explainRequest(set, request);
  const alone = set.policies
    .filter((policy) => explainRequest(new AclPolicySet([policy], set.options), request).allowed)
    .map(({ name }) => name);
  const { allowed, refusal, unfilled, open } = explanation;
  const style = styleFor(process.stdout, env);
  if (flags.json) {
    printJson<RequestReport>(process.stdout, {
      ...explanationJson(explanation),
      policiesThatAllowIt: alone,
      serverVersion: version,
    });
  } else if (command === 'why') {
    printWrapped(process.stdout, [
      ...explanationLines(explanation, alone, style),
      '',
      rulesLine(read, style),
    ]);
  } else {
    const verdict = allowed ? style.good('allowed') : style.bad('denied');
    const reason = refusal ? `: ${refusalText(refusal)}` : '';
    const hint = unfilled.length > 0 ? unfilledLines(unfilled) : [];
    printWrapped(process.stdout, [
      `${requestText(explanation.request)}  ${verdict}${reason}`,
      ...openLines(open),
      ...hint,
      rulesLine(read, style),
    ]);
  }
  return reportFaults(faults, allowed ? EXIT.ok : EXIT.problems, (fault) =>
    mayDecideOn(fault, explanation.request.path),
  );
}
