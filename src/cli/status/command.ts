import { Command, InvalidArgumentError } from 'commander';
import { EXIT_CODES_HELP } from '../exit-codes';
import { showStatus, type StatusFlags } from './show-status';

/** A busy primary is always a little ahead. */
const MAX_WAL_DISTANCE = 1000;

/** `vault-admin status`: how clusters are, for people and for monitors. */
export function statusCommand(): Command {
  return new Command('status')
    .summary('show how clusters are')
    .description(
      "Show clusters' replication with its distances and filters, their managed keys, and their automated snapshots.",
    )
    .option('--cluster <NAME...>', 'the clusters to look at (default: those that the environment describes)')
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
      '\nSettings come from the environment, under the names that the Terraform provider reads: VAULTADMIN_US_ADDR,\n' +
        'VAULTADMIN_US_TOKEN and so on for a cluster "us"; VAULT_ADDR and VAULT_TOKEN where there is only one.\n' +
        'Without a token, replication is all that is shown.\n' +
        EXIT_CODES_HELP +
        '\nExample:\n  $ VAULTADMIN_US_ADDR=https://us.example.com:8200 VAULTADMIN_EU_ADDR=https://eu.example.com:8200 \\\n' +
        '      vault-admin status\n',
    )
    .allowExcessArguments(false)
    .action(async (flags: StatusFlags) => {
      process.exitCode = await showStatus(flags, process.env);
    });
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Allowed are whole numbers from 0 on.');
  return Number(text);
}
