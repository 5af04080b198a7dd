import { Command } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import type { LintFlags } from './answers/lint';

/** `vault-admin policy lint`: rules that cannot work, or are probably not meant. */
export function lintCommand(): Command {
  return new Command('lint')
    .summary('find rules of ACL policies that cannot work')
    .description(
      'Find rules of ACL policies that cannot work, or probably do not do what is meant. Expressions of Terraform ' +
        'are allowed in them; what depends on their values is not reported.',
    )
    .argument('[SOURCE...]', 'files, folders, or the folder that an app was synthesized to')
    .option('--cluster <NAME>', 'the policies of a running cluster')
    .option('--policy <NAME...>', 'only the policies with these names')
    .option('--ignore <ID...>', 'findings that are not wanted')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'no rule is broken; there may be warnings',
        [EXIT.problems]: 'a rule cannot work, or the server refuses a policy',
        [EXIT.unknown]: 'the cluster did not answer',
      }) + '\nExample:\n  $ vault-admin policy lint policies/ --ignore open-path\n',
    )
    .action(async (sources: readonly string[], flags: LintFlags) => {
      const { lintPolicies } = await import('./answers/lint.js');
      process.exitCode = await lintPolicies(sources, flags, process.env);
    });
}
