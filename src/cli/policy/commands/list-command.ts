import { Command } from 'commander';
import { EXIT, exitCodesHelp } from '../../exit-codes';
import type { ListFlags } from '../answers/list-permitted';
import { withAgentLimits, withSources } from '../source-options';

/** Returns `cdktf-vault-admin policy list`: lists everything that policies allow. */
export function listCommand(): Command {
  const command = new Command('list')
    .summary('list what ACL policies allow')
    .description('List everything that ACL policies allow, combined as if one token had them.')
    .argument('[SOURCE...]', 'files, folders, or the output folder of an app');
  return withAgentLimits(withSources(command))
    .option('--under <PATH>', 'only paths that begin with this')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'the permissions were listed',
        [EXIT.unknown]: 'the cluster did not answer, or policies are too complex to compare',
      }) + '\nExample:\n  $ npx cdktf-vault-admin policy list policies/ --under secret/data/\n',
    )
    .action(async (sources: readonly string[], flags: ListFlags) => {
      const { listPermitted } = await import('../answers/list-permitted.js');
      process.exitCode = await listPermitted(sources, flags, process.env);
    });
}
