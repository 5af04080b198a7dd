import { ASSUMPTIONS, type RefusalName, type RefusalWords } from '../../../emulator/assume';
import type { UnchangedAnswer } from '../wire';
import { type Seen } from './probe';
import { unable } from '../unseen';

interface Judging {
  /** The values of the refusal's case, in the order of the assumption's text. */
  readonly about?: readonly unknown[];
  /** The words that a text which explains the refusal has to contain. Default: all of `about`. */
  readonly names?: readonly string[];
  /** Whether the text is the same for every case, except for `about`. Default: true. */
  readonly isText?: boolean;
  /**
   * Whether a refusal with 403 or 503 can be the expected one. By default, such an answer means
   * that nothing can be seen.
   */
  readonly mayBeAnyStatus?: boolean;
}

/** Compares a refusal with the alternatives of the assumption, by its status and text. */
export function judgeRefusal<Name extends RefusalName>(
  name: Name,
  answer: UnchangedAnswer,
  { about = [], names = about.map(String), isText = true, mayBeAnyStatus = false }: Judging = {},
): Seen<Name> {
  const { alternatives } = ASSUMPTIONS[name];
  const words = Object.entries<RefusalWords<never>>(alternatives);
  const text = answer.errors.join(' ');
  const same = words.find(
    ([, each]) =>
      each.status === answer.status && (each as RefusalWords<readonly unknown[]>).text(...about) === text,
  );
  if (same !== undefined) return { alternative: same[0] } as Seen<Name>;
  const [, explained] = words[0] as [string, RefusalWords<never>];
  const isExplained = text !== '' && names.every((each) => text.includes(each));
  if (answer.status === explained.status && isExplained) {
    const shown = asTemplate(text, about);
    const seen: Seen<RefusalName> = {
      alternative: 'explained',
      words: shown,
      ...(isText && { measured: { text: shown } }),
    };
    return seen as Seen<Name>;
  }
  if (answer.status < 300) return { otherwise: `it is not refused: ${answer.status}` };
  const seen = unable(answer);
  if (seen && answer.status !== explained.status && !mayBeAnyStatus) return seen;
  return {
    otherwise: `${answer.status} with ${text === '' ? 'no text' : `the text ${JSON.stringify(asTemplate(text, about))}`}`,
    measured: { status: answer.status, text: asTemplate(text, about) },
  };
}

/** Returns a text in which `{0}` stands for the first value of its case. */
function asTemplate(text: string, about: readonly unknown[]): string {
  return about.reduce<string>((shown, part, index) => {
    const written = Array.isArray(part) ? part.join(', ') : String(part);
    return written === '' ? shown : shown.replaceAll(written, `{${index}}`);
  }, text);
}
