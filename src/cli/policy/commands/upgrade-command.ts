import { Command } from 'commander';
import { EXIT, exitCodesHelp } from '../../exit-codes';
import { POLICY_NAMES } from '../source-options';
import type { UpgradeFlags } from '../answers/upgrade';

/**
 * Returns `cdktf-vault-admin policy upgrade`: says what an upgrade of the server changes for
 * policies.
 */
export function upgradeCommand(): Command {
  return new Command('upgrade')
    .summary('show which ACL policies a server upgrade affects')
    .description(
      'Show which ACL policies have a different meaning after a server upgrade, with an example request for each ' +
        'difference. Each policy is examined on its own.',
    )
    .argument('[SOURCE...]', 'files, folders, or the output folder of an app')
    .option('--from <VERSION>', 'the current version of the server (default: that of --cluster)')
    .requiredOption('--to <VERSION>', 'the version to upgrade to')
    .option('--cluster <NAME>', 'the policies of a running cluster')
    .option(...POLICY_NAMES)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'the policies have the same meaning after the upgrade',
        [EXIT.problems]: 'the meaning of a policy changes',
        [EXIT.unknown]: 'the cluster did not answer, or policies are too complex to compare',
      }) + '\nExample:\n  $ npx cdktf-vault-admin policy upgrade --from 1.18 --to 2.1 policies/\n',
    )
    .action(async (sources: readonly string[], flags: UpgradeFlags) => {
      const { showUpgrade } = await import('../answers/upgrade.js');
      process.exitCode = await showUpgrade(sources, flags, process.env);
    });
}
