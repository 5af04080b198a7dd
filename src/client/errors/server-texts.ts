import type { Answer } from '../answer/answer';

/** How much is shown of an answer that is no server's JSON. */
const EXCERPT = 200;
const MULTIERROR = /^\d+ errors? occurred:\s*/;
const BULLET = /\n\s*\* /;

/** The error texts of an answer, one for each bullet that the server made of several errors. */
export function serverTexts({ payload, text }: Pick<Answer, 'payload' | 'text'>): readonly string[] {
  const errors = payload?.errors;
  if (Array.isArray(errors)) return errors.map(String).flatMap(unfold);
  const excerpt = text.replace(/\s+/g, ' ').trim().slice(0, EXCERPT);
  return excerpt === '' ? [] : [excerpt];
}

function unfold(text: string): readonly string[] {
  if (!MULTIERROR.test(text)) return [text.trim()];
  return `\n${text.replace(MULTIERROR, '')}`
    .split(BULLET)
    .map((bullet) => bullet.trim())
    .filter((bullet) => bullet !== '');
}
