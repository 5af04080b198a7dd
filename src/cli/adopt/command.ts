import { Command, InvalidArgumentError } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import type { AdoptFlags } from './adopt';
import { KINDS, type Kind } from './estate/found';

/** `vault-admin adopt`: an app for what is there. */
export function adoptCommand(): Command {
  return new Command('adopt')
    .summary('write an app for what is on clusters already')
    .description(
      'Read the policies, managed keys, automated snapshots and replication of clusters, and write a TypeScript app ' +
        'that declares and imports them: its first plan changes nothing. Nothing is written to a server, no file is ' +
        'overwritten, and secrets become variables.',
    )
    .option('--cluster <NAME...>', 'the clusters to look at (default: those that the environment describes)')
    .option(
      '--namespace <NAMESPACE...>',
      "where to look beside the cluster's namespace, relative to it; '*' for everywhere below it",
    )
    .option('--output <FOLDER>', 'where to write the app', 'vault-estate')
    .option('--only <KINDS>', `what to adopt, of ${KINDS.join(',')} (default: all)`, kinds)
    .option('--default-policy', 'adopt the policy "default" also where it is as servers ship it')
    .option('--json', 'print one object of JSON: what was adopted, and what was not')
    .addHelpText(
      'after',
      '\nSettings come from the environment, under the names that the Terraform provider\n' +
        'reads.\n' +
        exitCodesHelp({
          [EXIT.ok]: 'all that was found is in the app',
          [EXIT.problems]: 'some of it cannot be declared: it is named, and all else is in the app',
          [EXIT.unknown]: 'something could not be read: it is named, and all else is in the app',
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
