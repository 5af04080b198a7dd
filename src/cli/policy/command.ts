import { Command } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import type { TestFlags } from './run-policy-tests';

/** `vault-admin policy`: policies, without a server. */
export function policyCommand(): Command {
  return new Command('policy')
    .summary('check, test, evaluate and format policies')
    .description('Check, test, evaluate and format policies, without a server.')
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'the policies are in order',
        [EXIT.problems]: 'a policy is not: each fault is named, with its place',
      }),
    )
    .addCommand(testCommand());
}

function testCommand(): Command {
  return new Command('test')
    .summary('run the tests of Sentinel policies')
    .description(
      'Run the tests of Sentinel policies. The tests of NAME.sentinel are the files test/NAME/*.hcl and ' +
        'test/NAME/*.json next to it, with blocks global, mock, param, import and test.',
    )
    .argument('[PATH...]', 'policies, or folders to search for policies', ['.'])
    .option('--run <PATTERN>', 'run only matching tests: a regular expression for POLICY, or for POLICY/TEST')
    .option('--verbose', 'show what was printed, and the trace, of tests that pass too')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'every test passed',
        [EXIT.problems]: 'a test failed',
        [EXIT.usage]: 'a policy or a test file does not parse, or the command line is not valid',
      }) + '\nExample:\n  $ vault-admin policy test policies/\n',
    )
    .action(async (paths: readonly string[], flags: TestFlags) => {
      const { runPolicyTests } = await import('./run-policy-tests.js');
      process.exitCode = runPolicyTests(paths, flags, process.stdout, process.env);
    });
}
