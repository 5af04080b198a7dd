import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import { diffCommand } from './diff';
import { languageServerCommand } from './language-server';
import { lintCommand } from './lint';
import { fromAuditCommand } from './from-audit';
import { listCommand } from './list';
import { canCommand, whyCommand } from './request-command';
import type { CheckFlags } from './check-policies';
import type { EvaluateFlags } from './evaluate-policy';
import type { FormatPoliciesFlags } from './format-policies';
import type { TestFlags } from './run-policy-tests';
import { namedValue, SENTINEL_OF_SERVER, SENTINEL_VERSION, TIMEOUT, withFormats } from './source-options';
import { upgradeCommand } from './upgrade';

/** Returns `cdktf-vault-admin policy`: the commands about policies, which need no server. */
export function policyCommand(): Command {
  return new Command('policy')
    .summary('check, test and format policies, and show what they allow')
    .description(
      'Check and format policies, test and evaluate Sentinel policies, and show what ACL policies allow: in ' +
        'files, in the stacks of an app, or on a running cluster.',
    )
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'the policies are valid, or allow the request',
        [EXIT.problems]: 'a policy is not valid, or the request is denied',
        [EXIT.unknown]: 'the result could not be determined: a cluster did not answer',
      }),
    )
    .addCommand(checkCommand())
    .addCommand(testCommand())
    .addCommand(evaluateCommand())
    .addCommand(formatCommand())
    .addCommand(canCommand())
    .addCommand(whyCommand())
    .addCommand(listCommand())
    .addCommand(diffCommand())
    .addCommand(lintCommand())
    .addCommand(upgradeCommand())
    .addCommand(fromAuditCommand())
    .addCommand(languageServerCommand());
}

function checkCommand(): Command {
  const command = new Command('check')
    .summary('check ACL, RGP and EGP policies')
    .description(
      'Check policies without running them: syntax errors, code that can never run, and conditions that can never be true. ' +
        'RGPs and EGPs are *.sentinel files, ACL policies *.hcl files. Policies in Terraform files (*.tf) and in YAML of bank-vaults and vault-config-operator are checked as well.',
    )
    .argument(
      '[PATH...]',
      'policies, or folders to search for policies, also of a Git revision (main:policies); default: the current folder',
    )
    .option('--stacks [FOLDER]', 'check the policies of synthesized stacks (default: those in cdktf.out)')
    .option(...SENTINEL_VERSION)
    .addOption(SENTINEL_OF_SERVER);
  return withFormats(command)
    .addHelpText(
      'after',
      exitCodesHelp({ [EXIT.ok]: 'no policy has an error', [EXIT.problems]: 'a policy has an error' }) +
        '\nExample:\n  $ npx cdktf-vault-admin policy check policies/ --stacks\n',
    )
    .action(async (paths: readonly string[], flags: CheckFlags) => {
      const { checkPolicies } = await import('./check-policies.js');
      process.exitCode = checkPolicies(paths, flags, process.stdout);
    });
}

const ALLOW_HTTP = [
  '--allow-http',
  'send the requests of policies that import "http" (default: refuse them)',
] as const;

function evaluateCommand(): Command {
  return new Command('eval')
    .summary('evaluate an RGP or EGP for one request')
    .description(
      'Evaluate a policy for one request, and print the decision, the output of the policy, and the trace.',
    )
    .argument(
      '[POLICY]',
      'the policy: a file, or with --config a name; default: all policies of --config, each at its enforcement level',
    )
    .requiredOption(
      '--request <FILE>',
      'JSON: {"request": {…}, "token": {…}, "identity": {…}, …}, or just the request',
    )
    .option('--time <TIME>', 'the time of the request, in RFC 3339 format (default: now)')
    .option(
      '--config <FILE>',
      'read globals, parameters, mocks, modules, policies and the time zone from a file such as sentinel.hcl, and from ' +
        'override.hcl and *_override.hcl next to it',
    )
    .option(
      '--global <NAME=VALUE>',
      'set a global of the policies, in JSON or as a text; may be repeated',
      namedValue,
    )
    .option(
      '--param <NAME=VALUE>',
      'set a parameter of the policies, in JSON or as a text; may be repeated',
      namedValue,
    )
    .option(...TIMEOUT)
    .option(...ALLOW_HTTP)
    .option(...SENTINEL_VERSION)
    .addOption(SENTINEL_OF_SERVER)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'the policy allows the request, or all policies that are not advisory do',
        [EXIT.problems]: 'the policy denies the request',
      }) + '\nExample:\n  $ npx cdktf-vault-admin policy eval hours.sentinel --request request.json\n',
    )
    .action(async (policy: string | undefined, flags: EvaluateFlags) => {
      const { evaluatePolicy, evaluatePolicies } = await import('./evaluate-policy.js');
      process.exitCode =
        policy === undefined
          ? evaluatePolicies(flags, process.stdout)
          : evaluatePolicy(policy, flags, process.stdout);
    });
}

function formatCommand(): Command {
  return new Command('fmt')
    .summary('rewrite policies in the canonical layout')
    .description(
      'Rewrite policies in the canonical layout, and list the changed files. Comments are preserved.',
    )
    .argument(
      '[PATH...]',
      'policies, or folders to search for policies; with --check, also REVISION:PATH; "-" for one from standard input',
      ['.'],
    )
    .option('--check', 'do not write; only list the policies that are not in the canonical layout')
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'the policies are in the canonical layout',
        [EXIT.problems]: 'with --check: a policy is not in the canonical layout',
      }) + '\nExample:\n  $ npx cdktf-vault-admin policy fmt --check policies/\n',
    )
    .action(async (paths: readonly string[], flags: FormatPoliciesFlags) => {
      const { formatPolicies } = await import('./format-policies.js');
      process.exitCode = formatPolicies(paths, flags, process.stdout);
    });
}

function testCommand(): Command {
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
      const { runPolicyTests, watchPolicyTests } = await import('./run-policy-tests.js');
      if (flags.watch) watchPolicyTests(paths, flags, process.stdout, process.env);
      else process.exitCode = runPolicyTests(paths, flags, process.stdout, process.env);
    });
}

function percent(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= 100) return number;
  throw new InvalidArgumentError('Expected a whole number from 0 to 100.');
}
