/** The newest version of the language that is known. */
export const NEWEST_VERSION = '0.41';
