import { Argument, Command } from 'commander';
import { EXIT, exitCodesHelp } from '../exit-codes';
import { printContent } from '../output/print';
import { CLUSTERS, completionScript, SHELLS, type Shell, type Words } from './scripts';

/** `cdktf-vault-admin completion`: the command line's words, for a shell to complete. */
export function completionCommand(): Command {
  return new Command('completion')
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
    .allowExcessArguments(false)
    .action((shell: Shell, _options: object, command: Command) => {
      printContent(process.stdout, completionScript(shell, wordsOf(command.parent ?? command)));
    });
}

function wordsOf(program: Command): Words {
  const wordsAfter = (command: Command): string[] => [
    ...command.commands.map((each) => each.name()),
    ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    ...command.options.flatMap(({ long, hidden }) => (hidden ? [] : (long ?? []))),
    '--help',
  ];
  const names = program.commands.map((command) => command.name());
  return Object.fromEntries([
    ['', { words: wordsAfter(program), values: {} }],
    ...program.commands.map(
      (command) => [command.name(), { words: wordsAfter(command), values: valuesOf(command) }] as const,
    ),
    ['help', { words: names, values: {} }],
  ]);
}

/** The values of the options that have certain ones. The clusters of "emulator" are new ones. */
function valuesOf({ options }: Command): Words[string]['values'] {
  return Object.fromEntries(
    options.flatMap(({ long, flags, argChoices }): [string, readonly string[] | typeof CLUSTERS][] => {
      if (!long) return [];
      if (argChoices) return [[long, argChoices]];
      return /^--cluster <NAME(\.\.\.)?>$/.test(flags) ? [[long, CLUSTERS]] : [];
    }),
  );
}
