/**
 * The responses to `KNOWN_CALLS` in Base64, by the paths of the calls. Empty in the sources: the
 * build encodes them.
 */
export const KNOWN_ANSWERS: Readonly<Record<string, string>> = {};
