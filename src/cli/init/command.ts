import { Command, InvalidArgumentError } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import type { InitFlags } from './run-init';

const MOST_SHARES = 255;

/**
 * Returns `cdktf-vault-admin init`, which takes a server that was just started to the first apply.
 */
export function initCommand(): Command {
  return new Command('init')
    .summary('take a new cluster to the first apply')
    .description(
      'Initialize and unseal a new cluster, set up the login of the deployer, and revoke the root token. ' +
        'What is already done is skipped, so an interrupted run can be repeated.',
    )
    .option('--cluster <NAME>', 'the cluster (default: the one that the environment describes)')
    .option(
      '--pgp-key <FILE...>',
      'the public PGP keys of those who receive a share of the key, one share for each; the server encrypts them',
    )
    .option('--show-keys', 'print the shares of the key, not encrypted; without it, --pgp-key is required')
    .option('--shares <COUNT>', 'with --show-keys: the number of shares (default: 5)', count)
    .option(
      '--threshold <COUNT>',
      'the number of shares that unseal (default: more than half of them)',
      count,
    )
    .option('--folder <FOLDER>', 'where the answer of the server and the encrypted shares are written', '.')
    .option('--share-file <FILE...>', 'files with decrypted shares, to unseal with')
    .option(
      '--setup <FILE>',
      'the first settings, as JSON: license, autopilot, policies, and the auth method of the deployer; afterwards, the root token is revoked',
    )
    .addHelpText(
      'after',
      '\nThe answer of the server has the shares and the root token, and is given once. It\n' +
        'is written to NAME.init.json, which is made before the request, with permissions\n' +
        'for its owner alone. A file that exists is not overwritten.\n' +
        exitCodesHelp({
          [EXIT.ok]: 'everything is done',
          [EXIT.problems]:
            'something remains to be done, such as unsealing by those who have\nthe shares; each line says what',
          [EXIT.unknown]: 'the server could not be reached, or refused a request',
        }) +
        '\nExamples:\n' +
        '  $ npx cdktf-vault-admin init --pgp-key ann.asc bob.asc eve.asc\n' +
        '  $ gpg --decrypt us.share-1.pgp > share-1\n' +
        '  $ npx cdktf-vault-admin init --share-file share-* --setup first-day.json\n',
    )
    .allowExcessArguments(false)
    .action(async (flags: InitFlags) => {
      const { runInit } = await import('./run-init.js');
      process.exitCode = await runInit(flags, process.env);
    });
}

function count(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || number > MOST_SHARES)
    throw new InvalidArgumentError(`Allowed are 1 to ${MOST_SHARES}.`);
  return number;
}
