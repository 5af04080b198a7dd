import { Command } from 'commander';
import { EXIT, exitCodesHelp } from '../../exit-codes';
import type { EvaluateFlags } from '../evaluate-policy';
import { ALLOW_HTTP, namedValue, SENTINEL_OF_SERVER, SENTINEL_VERSION, TIMEOUT } from '../source-options';

/** Returns `cdktf-vault-admin policy eval`: evaluates Sentinel policies for one request. */
export function evaluateCommand(): Command {
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
      const { evaluatePolicy, evaluatePolicies } = await import('../evaluate-policy.js');
      process.exitCode =
        policy === undefined
          ? evaluatePolicies(flags, process.stdout)
          : evaluatePolicy(policy, flags, process.stdout);
    });
}
