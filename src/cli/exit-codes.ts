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

/** The part of a command's help that explains how it ends. */
export const EXIT_CODES_HELP = `
Exit codes:
  0  all is well
  1  something is wrong
  2  the command line or the settings are not valid
  3  it could not be found out: a cluster was not reached, or did not permit to look
`;
