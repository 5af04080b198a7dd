import { groupChanges, permittedBy } from '../../../model';
import { EXIT, type ExitCode } from '../../exit-codes';
import { printJson, printWrapped } from '../../output/print';
import { styleFor } from '../../output/style';
import { reportFaults } from '../sources/policy-source';
import type { SourceFlags } from '../sources/read-set';
import { readLimitedSet, type AgentFlags } from './agent-limits';
import { changeJson, type ChangeJson } from './json';
import { permittedText, rulesLine } from './messages';

export interface ListFlags extends SourceFlags, AgentFlags {
  readonly under?: string;
  readonly json?: boolean;
}

/** The JSON that `policy list` prints. @public */
export interface ListReport {
  /** The version of the server whose rules were followed. */
  readonly serverVersion: string;
  /** The allowed requests, as a comparison with no policies. */
  readonly allowed: readonly ChangeJson[];
}

/** Lists everything that a set of policies allows. */
export async function listPermitted(
  sources: readonly string[],
  flags: ListFlags,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const read = await readLimitedSet(sources, flags, env);
  if (!read) return EXIT.unknown;
  const { set, faults, version } = read;
  const permitted = permittedBy(set, flags.under).filter(({ untidy }) => !untidy);
  if (flags.json) {
    printJson<ListReport>(process.stdout, { serverVersion: version, allowed: permitted.map(changeJson) });
  } else {
    const lines = groupChanges(permitted).map((group) => permittedText(group, set.names.length > 1));
    const rules = rulesLine(read, styleFor(process.stdout, env));
    printWrapped(process.stdout, [...(lines.length > 0 ? lines : ['Nothing is allowed.']), '', rules]);
  }
  return reportFaults(faults, EXIT.ok);
}
