import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT, exitCodesHelp } from '../../exit-codes';
import type { TestFlags } from '../run-policy-tests';
import { ALLOW_HTTP, SENTINEL_OF_SERVER, SENTINEL_VERSION, TIMEOUT, withFormats } from '../source-options';

/** Returns `cdktf-vault-admin policy test`: runs the tests of policies. */
export function testCommand(): Command {
  const command = new Command('test')
    .summary('run the tests of policies')
    .description(
      'Run the tests of policies. Those of ACL policies are the files NAME.test.hcl, with a block "token" for each ' +
        'token, and in it what must be allowed and denied. Those of NAME.sentinel are the files test/NAME/*.hcl and ' +
        'test/NAME/*.json next to it, with blocks global, mock, param, import and test.',
    )
    .argument(
      '[PATH...]',
      'tests, Sentinel policies, or folders to search for both, also of a Git revision (main:policies)',
      ['.'],
    )
    .option(
      '--run <PATTERN>',
      'run only matching tests: a regular expression for NAME, or for NAME/TEST or NAME/TOKEN',
    )
    .option('--coverage', 'list the rules of the tested policies that no test is about')
    .addOption(
      new Option('--min-coverage <PERCENT>', 'fail if fewer rules are tested, and list the others').argParser(
        percent,
      ),
    )
    .option('--verbose', 'show the output and the trace of passing tests as well')
    .option('--watch', 'run the tests again whenever a file changes, until Ctrl-C')
    .option(...TIMEOUT)
    .option(...ALLOW_HTTP)
    .option(...SENTINEL_VERSION)
    .addOption(SENTINEL_OF_SERVER);
  return withFormats(command)
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'every test passed',
        [EXIT.problems]: 'a test failed, or too few rules are tested',
        [EXIT.usage]: 'a policy or a test file does not parse, or the command line is not valid',
      }) + '\nExample:\n  $ npx cdktf-vault-admin policy test policies/\n',
    )
    .action(async (paths: readonly string[], flags: TestFlags) => {
      const { runPolicyTests, watchPolicyTests } = await import('../run-policy-tests.js');
      if (flags.watch) watchPolicyTests(paths, flags, process.stdout, process.env);
      else process.exitCode = runPolicyTests(paths, flags, process.stdout, process.env);
    });
}

function percent(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= 100) return number;
  throw new InvalidArgumentError('Expected a whole number from 0 to 100.');
}
