import { upgradeImpacts, type UpgradeImpact } from '../../../model';
import { UserError } from '../../errors';
import { EXIT, type ExitCode } from '../../exit-codes';
import { printJson, printWrapped } from '../../output/print';
import { styleFor } from '../../output/style';
import { reportFaults } from '../sources/policy-source';
import { readPolicies, type SourceFlags } from '../sources/read-set';
import { changeJson, type ChangeJson } from './json';
import { impactLines } from './messages';

export interface UpgradeFlags extends Pick<SourceFlags, 'cluster' | 'policy'> {
  readonly from?: string;
  readonly to: string;
  readonly json?: boolean;
}

type Without<Impact> = Impact extends { readonly change: unknown } ? Omit<Impact, 'change'> : Impact;

type ImpactJson = Without<UpgradeImpact> & { readonly change?: ChangeJson };

/** The JSON that `policy upgrade` prints. @public */
export interface UpgradeReport {
  readonly impacts: readonly ImpactJson[];
}

const VERSION = /^\d+\.\d+(\.\d+)?(\D.*)?$/;

/** Prints how an upgrade changes what policies allow. */
export async function showUpgrade(
  sources: readonly string[],
  flags: UpgradeFlags,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const { from, to } = flags;
  if (from === undefined && flags.cluster === undefined)
    throw new UserError('--from is required without --cluster');
  for (const version of [from, to]) {
    if (version !== undefined && !VERSION.test(version)) {
      throw new UserError(
        `${JSON.stringify(version)} is not a valid version\nExpected: a version such as 1.18 or 2.1.0.`,
      );
    }
  }
  const read = await readPolicies(sources, flags, env);
  if (!read) return EXIT.unknown;
  const impacts = upgradeImpacts(read.policies, from ?? read.version, to);
  const style = styleFor(process.stdout, env);
  const lines = impacts.flatMap((impact) => impactLines(impact, style));
  if (flags.json) printJson<UpgradeReport>(process.stdout, { impacts: impacts.map(impactJson) });
  else
    printWrapped(process.stdout, lines.length > 0 ? lines : ['The meaning of the policies does not change.']);
  return reportFaults(read.faults, impacts.length > 0 ? EXIT.problems : EXIT.ok);
}

function impactJson(impact: UpgradeImpact): ImpactJson {
  return 'change' in impact ? { ...impact, change: changeJson(impact.change) } : impact;
}
