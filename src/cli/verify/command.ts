import { Command, InvalidArgumentError } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import type { VerifyFlags } from './run-verify';

/** Returns `cdktf-vault-admin verify`, which compares a server with the emulator's assumptions. */
export function verifyCommand(): Command {
  return new Command('verify')
    .summary("compare a real server with the emulator's assumptions")
    .description(
      "Compare a real server with the emulator's assumptions about behavior that public sources leave open. The command writes " +
        'only in a namespace that it creates and removes. On disposable clusters, it also checks replication.',
    )
    .option('--cluster <NAME>', 'the cluster to check (default: the one that the environment describes)')
    .option(
      '--disposable <NAME=URL,...>',
      'two or three clusters whose data may be lost: each becomes a primary and a secondary of the others in turn',
      addresses,
    )
    .option(
      '--confirm <NAME,...>',
      'repeat the names of the disposable clusters to confirm the loss of their data',
      (text) => text.split(','),
    )
    .option('--report <FILE>', 'write the result as JSON, without secrets, names and addresses')
    .option('--json', 'print the same JSON')
    .addHelpText(
      'after',
      '\nThe token must be allowed to create namespaces and to manage everything in\n' +
        'them. On a server without namespaces, only checks that write nothing are made.\n' +
        'Run one at a time: a run removes what an interrupted one left behind.\n\n' +
        'Set the root tokens of disposable clusters in VAULTADMIN_US_TOKEN and so on.\n' +
        'When a cluster joins the first one, its tokens are revoked and its unseal keys\n' +
        'are replaced with those of the first. At the end, replication is disabled.\n' +
        exitCodesHelp({
          [EXIT.ok]: 'the observed behavior of the server is as assumed',
          [EXIT.problems]: 'it differs',
          [EXIT.unknown]: 'the server did not answer, or what was created on it could not be\nremoved',
        }) +
        '\nExamples:\n' +
        '  $ npx cdktf-vault-admin verify --report verify.json\n' +
        '  $ npx cdktf-vault-admin emulator --assume verify.json\n' +
        '  $ npx cdktf-vault-admin verify --confirm us,eu \\\n' +
        '      --disposable us=https://us.test:8200,eu=https://eu.test:8200\n',
    )
    .allowExcessArguments(false)
    .action(async (flags: VerifyFlags) => {
      const { runVerify } = await import('./run-verify.js');
      process.exitCode = await runVerify(flags, process.env);
    });
}

/** Parses addresses by name. Invalid addresses are reported together with the other settings. */
function addresses(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((part) => /^([A-Za-z0-9][\w-]*)=(.+)$/.exec(part)?.slice(1) ?? []);
  if (pairs.some((pair) => pair.length === 0)) {
    throw new InvalidArgumentError(
      'Allowed is NAME=URL,NAME=URL, with letters, digits, "-" and "_" in the names.',
    );
  }
  const byName = Object.fromEntries(pairs as [string, string][]);
  if (Object.keys(byName).length < pairs.length) throw new InvalidArgumentError('A cluster is given twice.');
  return byName;
}
