import { Command } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import type { UpgradeFlags } from './answers/upgrade';

/** `vault-admin policy upgrade`: what an upgrade of the server changes for policies. */
export function upgradeCommand(): Command {
  return new Command('upgrade')
    .summary('show what an upgrade of the server changes for ACL policies')
    .description(
      'Show for which ACL policies an upgrade of the server changes what they mean, with a request for each ' +
        'difference. Each policy is looked at by itself.',
    )
    .argument('[SOURCE...]', 'files, folders, or the folder that an app was synthesized to')
    .option('--from <VERSION>', "the server's version now (default: that of --cluster)")
    .requiredOption('--to <VERSION>', 'the version of the upgrade')
    .option('--cluster <NAME>', 'the policies of a running cluster')
    .option('--policy <NAME...>', 'only the policies with these names')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'the policies mean the same after the upgrade',
        [EXIT.problems]: 'a policy means something else',
        [EXIT.unknown]: 'the cluster did not answer',
      }) + '\nExample:\n  $ vault-admin policy upgrade --from 1.18 --to 2.1 policies/\n',
    )
    .action(async (sources: readonly string[], flags: UpgradeFlags) => {
      const { showUpgrade } = await import('./answers/upgrade.js');
      process.exitCode = await showUpgrade(sources, flags, process.env);
    });
}
