import type { Field, FieldValues } from '../../model';

/** Shorter texts, such as `ops`, are no secrets, and replacing them would make a message unreadable. */
const SHORTEST_SECRET = 4;
/** Servers make longer ones. */
const SHORTEST_TOKEN = 8;
const HIDDEN = '(hidden)';

/** Tokens of development servers, such as `root`, are no secrets but words that messages need. */
export function isSecretToken(token: string): boolean {
  return token.length >= SHORTEST_TOKEN;
}

/** Replaces every occurrence of the secrets in `text`, also where JSON has escaped them. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .sort((a, b) => b.length - a.length)
    .reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

/** Every text within a JSON value, keys aside. */
export function textsWithin(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsWithin);
}

/** The texts among an object's values that are secret by the model's account. */
export function secretsAmong(
  fields: Readonly<Record<string, Field>>,
  values: FieldValues,
): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    fields[name]?.sensitive && typeof value === 'string' ? [value] : [],
  );
}
