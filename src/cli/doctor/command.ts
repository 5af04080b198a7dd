import { Command, Option } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import type { DoctorFlags } from './run-doctor';

/**
 * Returns `cdktf-vault-admin doctor`, which checks whether a deployment will work, and says what to
 * do.
 */
export function doctorCommand(): Command {
  const command = new Command('doctor')
    .summary('check a deployment, and show how to fix problems')
    .description(
      'Check what a deployment needs: the versions of Node.js and Terraform, settings, the provider next to the ' +
        "synthesized stacks, clusters' addresses, TLS and editions, tokens, and the permissions that the stacks require.",
    )
    .option(
      '--cluster <NAME...>',
      'the clusters to check (default: those of the stacks, otherwise those of the environment)',
    )
    .option('--stacks <FOLDER>', 'the output folder of the app', 'cdktf.out')
    .addOption(
      new Option(
        '--least-policy [PURPOSE]',
        'print the ACL policies that the tokens need to apply the stacks, or to plan them, and check nothing',
      )
        .choices(['apply', 'plan'])
        .preset('apply')
        .conflicts('json'),
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nThe command changes nothing. Like the Terraform provider, it reads the settings\n' +
        'of clusters from the stacks, then from the environment.\n' +
        exitCodesHelp({
          [EXIT.ok]: 'the deployment can run',
          [EXIT.problems]: 'the deployment would fail: each problem is listed, with what to do',
          [EXIT.unknown]:
            'some checks were inconclusive; with --least-policy, the requirements of\nsome resources could not be determined',
        }) +
        '\nExamples:\n  $ cdktf synth && npx cdktf-vault-admin doctor\n' +
        '  $ npx cdktf-vault-admin doctor --least-policy --cluster us > deployer.hcl\n' +
        '  $ npx cdktf-vault-admin doctor --least-policy plan > planner.hcl\n',
    )
    .allowExcessArguments(false)
    .action(async (flags: DoctorFlags) => {
      const { runDoctor } = await import('./run-doctor.js');
      process.exitCode = await runDoctor(flags, process.env);
    });
  return renamedOption(command, '--output <FOLDER>', '--stacks <FOLDER>');
}

/** Makes the old name of an option fail with the new name, instead of as an unknown option. */
function renamedOption(command: Command, before: string, now: string): Command {
  const option = new Option(before).hideHelp();
  command.on(`option:${option.name()}`, () =>
    command.error(`error: option '${option.long}' is now called '${now}'`),
  );
  return command.addOption(option);
}
