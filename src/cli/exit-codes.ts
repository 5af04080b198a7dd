/** What a command ends with, for scripts and monitors. */
export const EXIT = {
  /** All is well. */
  ok: 0,
  /** Something is wrong with what was looked at. */
  problems: 1,
  /** The command line or the settings are not valid; nothing was done. */
  usage: 2,
  /** It could not be found out. */
  unknown: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const USAGE = 'the command line or the settings are not valid; nothing was done';

/**
 * The part of a command's help that explains how it ends.
 *
 * @param meanings of the codes that the command has, for it in particular. Further lines of one are indented.
 */
export function exitCodesHelp(meanings: Readonly<Partial<Record<ExitCode, string>>>): string {
  const lines = Object.entries({ [EXIT.usage]: USAGE, ...meanings }).map(
    ([code, meaning]) => `  ${code}  ${meaning.replaceAll('\n', '\n     ')}\n`,
  );
  return `\nExit codes:\n${lines.join('')}`;
}
