import { Command, InvalidArgumentError } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import type { AdoptFlags } from './adopt';
import { KINDS, type Kind } from './kinds';

/** `vault-admin adopt`: writes an app for what exists. */
export function adoptCommand(): Command {
  return new Command('adopt')
    .summary('write an app for what is on clusters already')
    .description(
      'Read what is on clusters, and write a TypeScript app that declares and imports it: its first plan changes ' +
        'nothing. Nothing is written to a server, no file is overwritten, and secrets become variables.',
    )
    .option('--cluster <NAME...>', 'the clusters to look at (default: those that the environment describes)')
    .option(
      '--namespace <NAMESPACE...>',
      "further namespaces to read, relative to the cluster's; '*' for all below it",
    )
    .option('--output <FOLDER>', 'where to write the app', 'vault-estate')
    .option('--only <KINDS>', `what to adopt, with commas between: ${KINDS.join(', ')} (default: all)`, kinds)
    .option('--default-policy', 'adopt the policy "default" even if it is unchanged')
    .option('--json', 'print one object of JSON: what was adopted, and what was not')
    .addHelpText(
      'after',
      '\nSettings come from the environment, with the same variables as for the Terraform\n' +
        'provider.\n' +
        exitCodesHelp({
          [EXIT.ok]: 'everything that was found is in the app',
          [EXIT.problems]: 'some objects cannot be declared: they are named, the rest is in the app',
          [EXIT.unknown]: 'something could not be read: it is named, the rest is in the app',
        }) +
        "\nExample:\n  $ vault-admin adopt --namespace '*' --output estate\n" +
        '  $ cd estate && npm install && npm run synth\n',
    )
    .allowExcessArguments(false)
    .action(async (flags: AdoptFlags) => {
      const { adopt } = await import('./adopt.js');
      process.exitCode = await adopt(flags, process.env);
    });
}

function kinds(text: string): readonly Kind[] {
  const given = text.split(',');
  const unknown = given.find((each) => !KINDS.some((kind) => kind === each));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`Allowed are ${KINDS.join(', ')}, with commas between.`);
  return given as Kind[];
}
