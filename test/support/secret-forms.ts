import { ENCODINGS } from './encodings';

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
  const within = [0, 1, 2].map((offset) =>
    Buffer.from(`${'x'.repeat(offset)}${secret}xx`).toString('base64'),
  );
  return [...new Set([...encoded, ...within])];
}

/** What of a form, with or without its white space, is left in a text. Neighbours share characters at its ends. */
export function sightings(forms: readonly string[], shown: string): readonly string[] {
  const bare = shown.replace(/\s+/g, '');
  return forms.filter((form) => {
    const core = form.replace(/\s+/g, '').slice(4, -4);
    return core.length >= 6 && bare.includes(core);
  });
}
