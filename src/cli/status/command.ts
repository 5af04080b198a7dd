import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import { PICTURE_FORMATS } from '../output/picture-formats';
import type { StatusFlags } from './show-status';

/** The default folder of synthesized apps. */
const OUTPUT = 'cdktf.out';

/** The number of WAL entries that a healthy secondary of a busy primary may lack. */
const MAX_WAL_DISTANCE = 1000;

/** Seconds between two readings. */
const WATCH_PAUSE = 5;
const LONGEST_PAUSE = 86_400;

/** Returns `cdktf-vault-admin status`, which shows cluster health, for people and monitors. */
export function statusCommand(): Command {
  return new Command('status')
    .summary('show cluster health')
    .description(
      'Show the replication of clusters with lag and filters, their managed keys, and their automated snapshots.',
    )
    .option(
      '--cluster <NAME...>',
      'the clusters to read (default: all that the environment or, with --stacks, the stacks describe)',
    )
    .addOption(
      new Option(
        '--stacks [FOLDER]',
        'use the clusters, settings and logins of synthesized stacks (FOLDER is the output folder of the app, ' +
          `${OUTPUT} by default)`,
      ).preset(OUTPUT),
    )
    .option(
      '--namespace <NAMESPACE...>',
      "the namespaces to read managed keys, or with --unmanaged all objects, from, relative to the cluster's; '*' for all (default: the cluster's)",
    )
    .option(
      '--test-keys',
      'sign test data with every managed key; this generates missing keys if their configuration allows it',
    )
    .option(
      '--max-wal-distance <ENTRIES>',
      'maximum number of WAL entries that a secondary may be behind',
      wholeNumber,
      MAX_WAL_DISTANCE,
    )
    .option('--public', 'accept clusters without a token, and show only their replication')
    .addOption(
      new Option('--watch [SECONDS]', 'refresh at this interval (default: 5 seconds) until Ctrl-C')
        .preset(String(WATCH_PAUSE))
        .argParser(seconds),
    )
    .option('--json', 'print one JSON object; with --watch, one line for each refresh')
    .addOption(
      new Option('--prometheus', 'print metrics in the text format of Prometheus').conflicts([
        'json',
        'watch',
      ]),
    )
    .addOption(
      new Option('--format <FORMAT>', 'print a picture of the replication sets')
        .choices(PICTURE_FORMATS)
        .conflicts(['json', 'prometheus', 'watch']),
    )
    .addOption(
      new Option('--web', 'serve the status as a web page on this machine, until Ctrl-C').conflicts([
        'json',
        'prometheus',
        'format',
      ]),
    )
    .addOption(
      new Option(
        '--unmanaged',
        'show the objects that neither a state (--state) nor a stack (--stacks) declares, and nothing else',
      ).conflicts(['prometheus', 'format', 'watch', 'web', 'testKeys', 'public']),
    )
    .option(
      '--state <FILE...>',
      'with --unmanaged: states, as terraform state pull or terraform show -json prints them',
    )
    .option('--port <PORT>', 'the port of the page (default: any free one)', portNumber)
    .addHelpText(
      'after',
      '\nSettings come from the environment, with the same variables as for the Terraform\n' +
        'provider: VAULTADMIN_US_ADDR, VAULTADMIN_US_TOKEN and so on for a cluster "us";\n' +
        'VAULT_ADDR and VAULT_TOKEN if there is only one. Without a token, only\n' +
        'replication is shown, and the exit code is 3 unless --public is given.\n' +
        exitCodesHelp({
          [EXIT.ok]: 'all is well',
          [EXIT.problems]:
            'there are problems: a cluster is sealed, a set has two primaries, a\n' +
            'secondary is not streaming or is too far behind, a key does not sign,\n' +
            'snapshots fail or are overdue.\nWith --unmanaged: there are objects that nothing declares',
          [EXIT.unknown]:
            'the state could not be determined: a cluster could not be reached,\nrefused a read, or has no token',
        }) +
        '\nExamples:\n' +
        '  $ export VAULTADMIN_US_ADDR=https://us.example.com:8200\n' +
        '  $ export VAULTADMIN_EU_ADDR=https://eu.example.com:8200\n' +
        '  $ npx cdktf-vault-admin status --public\n' +
        '  $ npx cdktf-vault-admin status --public --format svg > replication.svg\n' +
        '  $ terraform state pull > state.json\n' +
        "  $ npx cdktf-vault-admin status --unmanaged --state state.json --namespace '*'\n" +
        '  $ until npx cdktf-vault-admin status --public; do sleep 5; done\n',
    )
    .allowExcessArguments(false)
    .action(async (flags: StatusFlags) => {
      const { showStatus } = await import('./show-status.js');
      process.exitCode = await showStatus(flags, process.env);
    });
}

function seconds(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= 0 && number <= LONGEST_PAUSE) return number;
  throw new InvalidArgumentError(`Allowed are seconds from 0 to ${LONGEST_PAUSE}.`);
}

function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('Allowed are ports from 0 to 65535; 0 for any free one.');
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Allowed are whole numbers from 0.');
  return Number(text);
}
