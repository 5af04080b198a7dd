import { Command } from 'commander';
import { EXIT, exitCodesHelp } from '../../exit-codes';
import type { CheckFlags } from '../check-policies';
import { SENTINEL_OF_SERVER, SENTINEL_VERSION, withFormats } from '../source-options';

/** Returns `cdktf-vault-admin policy check`: finds errors in policies of all kinds. */
export function checkCommand(): Command {
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
      const { checkPolicies } = await import('../check-policies.js');
      process.exitCode = checkPolicies(paths, flags, process.stdout);
    });
}
