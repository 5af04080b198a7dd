import { Option, type Command } from 'commander';

/** Lets an option that was renamed end with its new name, rather than as one that nobody knows. */
export function renamedOption(command: Command, before: string, now: string): Command {
  const option = new Option(before).hideHelp();
  command.on(`option:${option.name()}`, () =>
    command.error(`error: option '${option.long}' is now called '${now}'`),
  );
  return command.addOption(option);
}
