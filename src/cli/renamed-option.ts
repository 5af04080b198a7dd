import { Option, type Command } from 'commander';

/** Makes an option that was renamed fail with its new name, instead of as an unknown option. */
export function renamedOption(command: Command, before: string, now: string): Command {
  const option = new Option(before).hideHelp();
  command.on(`option:${option.name()}`, () =>
    command.error(`error: option '${option.long}' is now called '${now}'`),
  );
  return command.addOption(option);
}
