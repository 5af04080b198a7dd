import { Command } from 'commander';
import { EXIT, exitCodesHelp } from '../../exit-codes';
import type { FormatPoliciesFlags } from '../format-policies';

/** Returns `cdktf-vault-admin policy fmt`: rewrites policies in the canonical layout. */
export function formatCommand(): Command {
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
      const { formatPolicies } = await import('../format-policies.js');
      process.exitCode = formatPolicies(paths, flags, process.stdout);
    });
}
