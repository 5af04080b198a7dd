import { Command } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import type { VerifyFlags } from './run-verify';

/** `cdktf-vault-admin verify`: compares a server with what the emulator assumes. */
export function verifyCommand(): Command {
  return new Command('verify')
    .summary('compare a real server with what the emulator assumes')
    .description(
      'Compare a real server with what the emulator assumes where public sources leave the behavior open. It writes only in ' +
        'a namespace that it makes and removes.',
    )
    .option('--cluster <NAME>', 'the cluster to look at (default: the one that the environment describes)')
    .option('--report <FILE>', 'write the result as JSON, without secrets, names and addresses')
    .option('--json', 'print the same JSON')
    .addHelpText(
      'after',
      '\nThe token must be allowed to create namespaces, and everything in them. Without\n' +
        'namespaces, only what needs no write is looked at. Run it once at a time: it\n' +
        'removes what an interrupted run left behind.\n' +
        exitCodesHelp({
          [EXIT.ok]: 'the server behaves as assumed, as far as could be seen',
          [EXIT.problems]: 'it behaves otherwise',
          [EXIT.unknown]: 'the server did not answer, or what was made on it could not be\nremoved',
        }) +
        '\nExamples:\n' +
        '  $ npx cdktf-vault-admin verify --report verify.json\n' +
        '  $ npx cdktf-vault-admin emulator --assume verify.json\n',
    )
    .allowExcessArguments(false)
    .action(async (flags: VerifyFlags) => {
      const { runVerify } = await import('./run-verify.js');
      process.exitCode = await runVerify(flags, process.env);
    });
}
