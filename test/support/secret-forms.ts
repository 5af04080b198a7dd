import { CODES, ENCODINGS } from './encodings';

/** What servers make of a secret before they write it. */
const SHAPES: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => secret.trim(),
  (secret) => secret.trim().replace(/\s+/g, ' '),
];

/** Every way in which a server may repeat a secret, of which also the parts are secret: lines, and members of JSON. */
export function formsOf(secret: string, parts: readonly string[] = []): readonly string[] {
  const shaped = [...parts, ...SHAPES.map((shape) => shape(secret))];
  const encoded = shaped.flatMap((each) => [each, ...Object.values(ENCODINGS).map((encode) => encode(each))]);
  // Shorter secrets are not looked for in all codes.
  const coded = shaped
    .filter((each) => each.replace(/[^0-9A-Za-z]/g, '').length >= 12)
    .flatMap((each) => Object.values(CODES).map((code) => code(each)));
  const within = [0, 1, 2].map((offset) =>
    Buffer.from(`${'x'.repeat(offset)}${secret}xx`).toString('base64'),
  );
  return [...new Set([...encoded, ...coded, ...within])];
}

/**
 * What of a form, with or without its white space, is left in a text, also where control characters are shown. Neighbours
 * share characters at its ends.
 */
export function sightings(forms: readonly string[], shown: string): readonly string[] {
  const bare = (text: string) => text.replace(/\\+(?:u0000|[rnt])|[\s\0\\]/g, '');
  const shownBare = bare(shown);
  return forms.filter((form) => {
    const core = bare(form).slice(4, -4);
    return core.length >= 6 && shownBare.includes(core);
  });
}
