import { Command, Option } from 'commander';
import { EXIT, exitCodesHelp } from '../../exit-codes';
import { POLICY_NAMES, repeated, withFormats } from '../source-options';
import type { LintFlags } from '../answers/lint';

/**
 * Returns `cdktf-vault-admin policy lint`: finds rules that cannot work, or are probably not meant.
 */
export function lintCommand(): Command {
  const command = new Command('lint')
    .summary('find rules in ACL policies that cannot work')
    .description(
      'Find rules in ACL policies that cannot work or are probably mistakes, including policies in Terraform files (*.tf) and in YAML. ' +
        'Terraform expressions are allowed; findings that depend on their values are not reported. The comment ' +
        '"# vault-admin: ignore ID: REASON" above a rule, or beside its path, accepts a finding.',
    )
    .argument('[SOURCE...]', 'files, folders, or the output folder of an app; "-" for standard input')
    .option('--cluster <NAME>', 'the policies of a running cluster')
    .option(...POLICY_NAMES)
    .option(
      '--together',
      'also examine all policies as those of one token: rules that other policies replace, overrule or repeat',
    )
    .option('--ignore <ID>', 'a finding to ignore; may be repeated', repeated)
    .addOption(
      new Option(
        '--fail-on <SEVERITY>',
        'exit with 1 for findings of this severity (default: error)',
      ).choices(['warning', 'error']),
    )
    .option('--explain <ID>', 'print what a finding means, with an example, and examine nothing')
    .option('--baseline <FILE>', 'do not report the findings that are in this file')
    .option('--write-baseline <FILE>', 'write all findings to this file, and report none');
  return withFormats(command)
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'no errors; there may be warnings',
        [EXIT.problems]:
          'a rule cannot work, or the server refuses a policy; with --fail-on warning, any warning',
        [EXIT.unknown]: 'the cluster did not answer',
      }) + '\nExample:\n  $ npx cdktf-vault-admin policy lint policies/ --ignore open-path\n',
    )
    .action(async (sources: readonly string[], flags: LintFlags) => {
      const { lintPolicies } = await import('../answers/lint.js');
      process.exitCode = await lintPolicies(sources, flags, process.env);
    });
}
