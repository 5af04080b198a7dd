import { Command } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import { diffCommand } from './diff';
import { listCommand } from './list';
import { canCommand, whyCommand } from './request-command';
import type { TestFlags } from './run-policy-tests';

/** `vault-admin policy`: policies, without a server. */
export function policyCommand(): Command {
  return new Command('policy')
    .summary('test policies, and ask what they allow')
    .description(
      'Test Sentinel policies, and ask ACL policies what they allow: in files, in the stacks of an app, or on a ' +
        'running cluster.',
    )
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'the policies are in order, or allow the request',
        [EXIT.problems]: 'a policy is not in order, or the request is denied',
        [EXIT.unknown]: 'it could not be determined: a cluster did not answer',
      }),
    )
    .addCommand(canCommand())
    .addCommand(whyCommand())
    .addCommand(listCommand())
    .addCommand(diffCommand())
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
