/** The exit codes of commands, for scripts and monitors. */
export const EXIT = {
  /** All is well. */
  ok: 0,
  /** There are problems. */
  problems: 1,
  /** The command line or the settings are not valid; nothing was done. */
  usage: 2,
  /** The answer could not be determined. */
  unknown: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const USAGE = 'the command line or the settings are not valid; nothing was done';

/**
 * Returns the part of a command's help that explains its exit codes.
 *
 * @param meanings the codes of the command. Continuation lines are indented.
 */
export function exitCodesHelp(meanings: Readonly<Partial<Record<ExitCode, string>>>): string {
  const lines = Object.entries({ [EXIT.usage]: USAGE, ...meanings }).map(
    ([code, meaning]) => `  ${code}  ${meaning.replaceAll('\n', '\n     ')}\n`,
  );
  return `\nExit codes:\n${lines.join('')}`;
}
