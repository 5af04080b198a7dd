import { Command } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import { renamedOption } from '../renamed-option';
import type { DoctorFlags } from './run-doctor';

/** `vault-admin doctor`: whether a set-up will work, and what to do where it will not. */
export function doctorCommand(): Command {
  const command = new Command('doctor')
    .summary('check a set-up, and say what to do')
    .description(
      'Check what a deployment needs: the versions of Node.js and Terraform, its settings, the provider beside the ' +
        "synthesized stacks, clusters' addresses and TLS, their editions, tokens, and what the stacks ask of these.",
    )
    .option(
      '--cluster <NAME...>',
      'the clusters to look at (default: those of the stacks, or those that the environment describes)',
    )
    .option('--stacks <FOLDER>', 'the folder that the app was synthesized to', 'cdktf.out')
    .option('--json', 'print one object of JSON')
    .addHelpText(
      'after',
      '\nNothing is changed. Settings of clusters come from the stacks, and else from the\n' +
        'environment, as for the Terraform provider.\n' +
        exitCodesHelp({
          [EXIT.ok]: 'nothing stands in the way of a deployment',
          [EXIT.problems]: 'something does: each is named, with what to do',
          [EXIT.unknown]: 'there are doubts, or something could not be found out',
        }) +
        '\nExample:\n  $ cdktf synth && vault-admin doctor\n',
    )
    .allowExcessArguments(false)
    .action(async (flags: DoctorFlags) => {
      const { runDoctor } = await import('./run-doctor.js');
      process.exitCode = await runDoctor(flags, process.env);
    });
  return renamedOption(command, '--output <FOLDER>', '--stacks <FOLDER>');
}
