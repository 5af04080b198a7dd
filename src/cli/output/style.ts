import { styleText } from 'node:util';

/** The styles of text on a terminal. */
export interface Style {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly doubtful: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

const PLAIN: Style = {
  good: (text) => text,
  bad: (text) => text,
  doubtful: (text) => text,
  strong: (text) => text,
  faint: (text) => text,
};

/** `styleFor` decides about colours, not newer versions of Node.js. */
const paint = (colour: Parameters<typeof styleText>[0], text: string) =>
  styleText(colour, text, { validateStream: false });

const COLOURED: Style = {
  good: (text) => paint('green', text),
  bad: (text) => paint('red', text),
  doubtful: (text) => paint('yellow', text),
  strong: (text) => paint('bold', text),
  faint: (text) => paint('dim', text),
};

/**
 * Returns colours on a terminal only, and none if `NO_COLOR` is set (https://no-color.org). `FORCE_COLOR` enables them
 * elsewhere, such as in the logs of pipelines.
 */
export function styleFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Style {
  if (env.NO_COLOR) return PLAIN;
  if (env.FORCE_COLOR) return env.FORCE_COLOR === '0' ? PLAIN : COLOURED;
  return stream.isTTY === true && env.TERM !== 'dumb' ? COLOURED : PLAIN;
}
