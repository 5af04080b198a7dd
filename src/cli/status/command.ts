import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import type { StatusFlags } from './show-status';

/** Where apps are synthesized to, unless they say otherwise. */
const OUTPUT = 'cdktf.out';

/** A busy primary is always a little ahead. */
const MAX_WAL_DISTANCE = 1000;

/** `vault-admin status`: how clusters are, for people and for monitors. */
export function statusCommand(): Command {
  return new Command('status')
    .summary('show how clusters are')
    .description(
      "Show clusters' replication with its distances and filters, their managed keys, and their automated snapshots.",
    )
    .option(
      '--cluster <NAME...>',
      'the clusters to look at (default: those that the environment or, with --stacks, the stacks describe)',
    )
    .addOption(
      new Option(
        '--stacks [FOLDER]',
        "use the settings that an app's stacks have for their clusters, logins too (the folder that it was " +
          `synthesized to, ${OUTPUT} if none is given)`,
      ).preset(OUTPUT),
    )
    .option(
      '--namespace <NAMESPACE...>',
      "where to look for managed keys, relative to the cluster's namespace (default: that one itself)",
    )
    .option(
      '--test-keys',
      'have every managed key sign; one that may be generated and is not there yet is generated',
    )
    .option(
      '--max-wal-distance <ENTRIES>',
      'how many entries of the log a secondary may be behind',
      wholeNumber,
      MAX_WAL_DISTANCE,
    )
    .option('--json', 'print one object of JSON')
    .addHelpText(
      'after',
      '\nSettings come from the environment, under the names that the Terraform provider\n' +
        'reads: VAULTADMIN_US_ADDR, VAULTADMIN_US_TOKEN and so on for a cluster "us";\n' +
        'VAULT_ADDR and VAULT_TOKEN where there is only one. Without a token, replication\n' +
        'is all that is shown.\n' +
        exitCodesHelp({
          [EXIT.ok]: 'all is well',
          [EXIT.problems]:
            'something is wrong: a cluster is sealed, a set has two primaries, a\n' +
            'secondary does not stream or is too far behind, a key does not sign,\n' +
            'snapshots fail or are overdue',
          [EXIT.unknown]: 'it could not be found out: a cluster was not reached, or refused to tell',
        }) +
        '\nExamples:\n' +
        '  $ export VAULTADMIN_US_ADDR=https://us.example.com:8200\n' +
        '  $ export VAULTADMIN_EU_ADDR=https://eu.example.com:8200\n' +
        '  $ vault-admin status\n' +
        '  $ until vault-admin status; do sleep 5; done   # a secondary is joining\n',
    )
    .allowExcessArguments(false)
    .action(async (flags: StatusFlags) => {
      const { showStatus } = await import('./show-status.js');
      process.exitCode = await showStatus(flags, process.env);
    });
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Allowed are whole numbers from 0 on.');
  return Number(text);
}
