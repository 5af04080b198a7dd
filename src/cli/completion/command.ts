import { Argument, Command, Option } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import { printContent, printLines } from '../output/print';
import { CLUSTERS, completionScript, POLICIES, SHELLS, type Shell, type CompletionWords } from './scripts';

/** The output folder of the app whose policies are completed. */
const OUTPUT = 'cdktf.out';

/** Returns `cdktf-vault-admin completion`, which prints a script for a shell. */
export function completionCommand(): Command {
  return (
    new Command('completion')
      .summary('print a shell completion script')
      .description('Print a script that completes the commands and options of cdktf-vault-admin in a shell.')
      .addArgument(new Argument('<SHELL>', 'the shell').choices(SHELLS))
      .addHelpText(
        'after',
        exitCodesHelp({ [EXIT.ok]: 'the script was printed' }) +
          '\nExamples:\n' +
          '  In ~/.bashrc:\n    source <(npx cdktf-vault-admin completion bash)\n' +
          '  In ~/.zshrc:\n    source <(npx cdktf-vault-admin completion zsh)\n' +
          '  In ~/.config/fish/config.fish:\n    npx cdktf-vault-admin completion fish | source\n',
      )
      // This option prints the names that the script completes; people do not use it.
      .addOption(new Option('--policies').hideHelp())
      .allowExcessArguments(false)
      .action(async (shell: Shell, { policies }: { readonly policies?: boolean }, command: Command) => {
        if (policies) {
          const { policyNamesIn } = await import('./policy-names.js');
          printLines(process.stdout, policyNamesIn(OUTPUT));
          return;
        }
        printContent(process.stdout, completionScript(shell, wordsOf(command.parent ?? command)));
      })
  );
}

function wordsOf(program: Command): CompletionWords {
  const wordsAfter = (command: Command): string[] => [
    ...command.commands.map((each) => each.name()),
    ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    ...command.options.flatMap(({ long, hidden }) => (hidden ? [] : (long ?? []))),
    '--help',
  ];
  const names = program.commands.map((command) => command.name());
  const entriesOf = (command: Command, names: string): [string, CompletionWords[string]][] => [
    [names, { words: wordsAfter(command), values: valuesOf(command) }],
    ...command.commands.flatMap((each) => entriesOf(each, `${names} ${each.name()}`)),
  ];
  return Object.fromEntries([
    ['', { words: wordsAfter(program), values: {} }],
    ...program.commands.flatMap((command) => entriesOf(command, command.name())),
    ['help', { words: names, values: {} }],
  ]);
}

/**
 * Returns the choices for options that have choices. The clusters of "emulator" are not among them,
 * because the user names new ones.
 */
function valuesOf({ options }: Command): CompletionWords[string]['values'] {
  return Object.fromEntries(
    options.flatMap(({ long, flags, argChoices }): [string, CompletionWords[string]['values'][string]][] => {
      if (!long) return [];
      if (argChoices) return [[long, argChoices]];
      if (flags === '--policy <NAME>') return [[long, POLICIES]];
      return /^--cluster <NAME(\.\.\.)?>$/.test(flags) ? [[long, CLUSTERS]] : [];
    }),
  );
}
