import { Command, InvalidArgumentError, Option } from 'commander';
import { EXAMPLE_ADDRESS, providerAddressProblem } from '../../model/provider-source';
import { nearestOf } from '../../text/nearest';
import { EXIT, exitCodesHelp } from '../exit-codes';
import type { AdoptFlags } from './adopt';
import { KINDS, type Kind } from './kinds';

/** Returns `cdktf-vault-admin adopt`, which writes an app for existing objects. */
export function adoptCommand(): Command {
  return new Command('adopt')
    .summary('generate an app from existing clusters')
    .description(
      'Read existing objects, and generate a TypeScript app (or plain Terraform) that declares and imports them. Its ' +
        'first plan changes nothing. The command never writes to a server or overwrites a file. Secrets become variables.',
    )
    .option('--cluster <NAME...>', 'the clusters to read (default: all that the environment describes)')
    .option(
      '--namespace <NAMESPACE...>',
      "additional namespaces to read, relative to the cluster's; '*' for all below it",
    )
    .option('--output <FOLDER>', 'where to write the app', 'vault-estate')
    .addOption(
      new Option('--hcl', 'write plain Terraform (.tf files) instead of a TypeScript app').conflicts([
        'into',
        'check',
      ]),
    )
    .addOption(
      new Option(
        '--provider-source <ADDRESS>',
        `the address of the provider in your registry, such as ${EXAMPLE_ADDRESS} (default: it comes with the npm package)`,
      )
        .argParser(providerSource)
        .conflicts(['into', 'check']),
    )
    .option('--only <KINDS>', `what to adopt, separated by commas: ${KINDS.join(', ')} (default: all)`, kinds)
    .option('--default-policy', 'adopt the policy "default" even if it is unchanged')
    .addOption(
      new Option(
        '--into <APP>',
        'add stacks to the folder of an app, for objects that its stacks do not manage; existing files are not changed',
      ).conflicts('output'),
    )
    .addOption(
      new Option('--check', 'write nothing; report objects that no stack manages').conflicts([
        'output',
        'into',
      ]),
    )
    .option(
      '--stacks <FOLDER>',
      'with --into and --check: the output folder of the app (default: cdktf.out in its folder)',
    )
    .option('--json', 'print one JSON object: what was adopted, and what was not')
    .addHelpText(
      'after',
      '\nSettings come from the environment, with the same variables as for the Terraform\n' +
        'provider.\n' +
        exitCodesHelp({
          [EXIT.ok]: 'all objects that were found are in the app',
          [EXIT.problems]:
            'some objects cannot be declared; all others are in the app.\nWith --check: there are objects that no stack manages',
          [EXIT.unknown]: 'some objects could not be read; all others are in the app',
        }) +
        "\nExample:\n  $ npx cdktf-vault-admin adopt --namespace '*' --output estate\n" +
        '  $ cd estate && npm install && npm run synth\n' +
        "  $ npx cdktf-vault-admin adopt --check --namespace '*'\n",
    )
    .allowExcessArguments(false)
    .action(async (flags: AdoptFlags) => {
      const { adopt } = await import('./adopt.js');
      process.exitCode = await adopt(flags, process.env);
    });
}

function providerSource(text: string): string {
  const problem = providerAddressProblem(text);
  if (problem) throw new InvalidArgumentError(`Allowed: ${problem.allowed}; ${problem.cure}.`);
  return text;
}

function kinds(text: string): readonly Kind[] {
  const given = text.split(',');
  const unknown = given.find((each) => !KINDS.some((kind) => kind === each));
  if (unknown !== undefined) {
    const near = nearestOf(unknown, KINDS);
    const hint = near === undefined ? '' : ` Did you mean ${near}?`;
    throw new InvalidArgumentError(`Allowed are ${KINDS.join(', ')}, separated by commas.${hint}`);
  }
  return given as Kind[];
}
