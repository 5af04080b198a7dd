import { Command, Option } from 'commander';
import { EXIT, exitCodesHelp } from '../../exit-codes';
import type { DiffFlags } from '../answers/compare';
import {
  POLICY_NAMES,
  SERVER_SETTINGS,
  SERVER_VERSION,
  withAgentLimits,
  withFormats,
  withHolder,
} from '../source-options';

/**
 * Returns `cdktf-vault-admin policy diff`: the requests that a change of policies allows and
 * denies.
 */
export function diffCommand(): Command {
  const command = new Command('diff')
    .summary('show what a change of ACL policies allows and denies')
    .description(
      'Show what a change of ACL policies allows and denies, with an example request for each difference. Policies with ' +
        'the same name are compared with each other.',
    )
    .argument(
      '[SOURCE...]',
      'the old policies and the new ones: files, folders, folders of stacks, or REVISION:PATH of Git; or the range OLD..NEW of Git, and a path',
    )
    .option(
      '--plan <FILE>',
      'compare what a Terraform plan changes: the output of terraform show -json, "-" for standard input',
    )
    .option('--from-cluster <NAME>', 'the old policies are those of a running cluster')
    .option(...POLICY_NAMES);
  const chosen = withAgentLimits(withHolder(command, '--from-cluster'))
    .option('--together', 'combine the policies of each side, as if one token had them')
    .addOption(
      new Option(
        '--fail-on <KIND>',
        'exit with 1 if the change allows something dangerous, allows anything new, or changes anything',
      ).choices(['sensitive', 'widening', 'change']),
    )
    .option(...SERVER_VERSION)
    .option(...SERVER_SETTINGS);
  return withFormats(chosen)
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'the policies were compared',
        [EXIT.problems]: 'with --fail-on: there is such a difference',
        [EXIT.unknown]: 'the cluster did not answer, or policies are too complex to compare',
      }) +
        '\nExamples:\n  $ npx cdktf-vault-admin policy diff main..HEAD policies --fail-on widening\n' +
        '  $ npx cdktf-vault-admin policy diff --from-cluster us cdktf.out --format json\n' +
        '  $ terraform show -json tfplan | cdktf-vault-admin policy diff --plan -\n',
    )
    .action(async (sources: readonly string[], flags: DiffFlags) => {
      const { comparePolicies } = await import('../answers/compare.js');
      process.exitCode = await comparePolicies(sources, flags, process.env);
    });
}
