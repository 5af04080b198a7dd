import { CODES, ENCODINGS } from './encodings';

/** The changes that servers make to a secret before they write it. */
const SHAPES: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => secret.trim(),
  (secret) => secret.trim().replace(/\s+/g, ' '),
];

/**
 * Returns every form in which a server may repeat a secret or one of the given parts of it, such as
 * lines and members of JSON.
 */
export function formsOf(secret: string, parts: readonly string[] = []): readonly string[] {
  const shaped = [...parts, ...SHAPES.map((shape) => shape(secret))];
  const encoded = shaped.flatMap((each) => [each, ...Object.values(ENCODINGS).map((encode) => encode(each))]);
  // Shorter secrets are not hidden in these encodings.
  const coded = shaped
    .filter((each) => each.replace(/[^0-9A-Za-z]/g, '').length >= 12)
    .flatMap((each) => Object.values(CODES).map((code) => code(each)));
  const within = [0, 1, 2].map((offset) =>
    Buffer.from(`${'x'.repeat(offset)}${secret}xx`).toString('base64'),
  );
  return [...new Set([...encoded, ...coded, ...within])];
}

/**
 * Returns the forms that occur in a text. It ignores white space, control characters and the four
 * characters at each end, which may also encode the text beside the secret.
 */
export function sightings(forms: readonly string[], shown: string): readonly string[] {
  const bare = (text: string) => text.replace(/\\+(?:u0000|[rnt])|[\s\0\\]/g, '');
  const shownBare = bare(shown);
  return forms.filter((form) => {
    const core = bare(form).slice(4, -4);
    return core.length >= 6 && shownBare.includes(core);
  });
}
