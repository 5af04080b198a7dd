import { Command } from 'commander';
import { EXIT_CODES_HELP } from '../exit-codes';
import { runDoctor, type DoctorFlags } from './run-doctor';

/** `vault-admin doctor`: whether a set-up will work, and what to do where it will not. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .summary('check a set-up, and say what to do')
    .description(
      'Check what a deployment needs: the versions of Node.js and Terraform, its settings, the provider beside the\n' +
        "synthesized stacks, clusters' addresses and TLS, their editions, tokens, and what the stacks ask of these.",
    )
    .option(
      '--cluster <NAME...>',
      'the clusters to look at (default: those of the stacks, or those that the environment describes)',
    )
    .option('--output <FOLDER>', 'where the app was synthesized to', 'cdktf.out')
    .option('--json', 'print one object of JSON')
    .addHelpText(
      'after',
      '\nNothing is changed. Settings come from the environment, under the names that the Terraform provider reads.\n' +
        EXIT_CODES_HELP +
        '\nExample:\n  $ cdktf synth && vault-admin doctor\n',
    )
    .allowExcessArguments(false)
    .action(async (flags: DoctorFlags) => {
      process.exitCode = await runDoctor(flags, process.env);
    });
}
