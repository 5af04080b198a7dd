import { styleText } from 'node:util';

/** How texts are set off from one another on a terminal. */
export interface Style {
  good(text: string): string;
  bad(text: string): string;
  doubtful(text: string): string;
  strong(text: string): string;
  faint(text: string): string;
}

const PLAIN: Style = {
  good: (text) => text,
  bad: (text) => text,
  doubtful: (text) => text,
  strong: (text) => text,
  faint: (text) => text,
};

const COLOURED: Style = {
  good: (text) => styleText('green', text),
  bad: (text) => styleText('red', text),
  doubtful: (text) => styleText('yellow', text),
  strong: (text) => styleText('bold', text),
  faint: (text) => styleText('dim', text),
};

/** Colours on a terminal alone, and not where `NO_COLOR` is set to anything (https://no-color.org). */
export function styleFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Style {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb' ? COLOURED : PLAIN;
}
