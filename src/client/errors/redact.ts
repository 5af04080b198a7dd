import type { Field, FieldValues } from '../../model';
import { Redactor } from '../../text';
import type { Call } from '../call-options';
import type { Settings } from '../options/settings';

/** Shorter texts, such as `ops`, are not secrets, and replacing them would make a message unreadable. */
const SHORTEST_SECRET = 4;
/** Servers make longer ones. */
const SHORTEST_TOKEN = 8;

/** Tokens of development servers, such as `root`, are not secrets but words that messages need. */
export function isSecretToken(token: string): boolean {
  return token.length >= SHORTEST_TOKEN;
}

type Tokens = Pick<Settings, 'token' | 'otherSecrets'>;

/** Preparing a redactor takes longer than a request, so the tries of a call, and calls with the same tokens, share one. */
const OF_TOKENS = new WeakMap<Tokens, Redactor>();
const OF_CALLS = new WeakMap<Call, { readonly settings: Tokens; readonly redactor: Redactor }>();

/** Hides the token and what was sent: servers and proxies repeat both. */
export function redactorOf(call: Call, settings: Tokens): Redactor {
  const sent = call.secrets ?? (call.publicBody ? [] : textsWithin(call.body));
  const secrets = sent.filter(({ length }) => length >= SHORTEST_SECRET);
  if (secrets.length === 0) return redactorOfTokens(settings);
  const known = OF_CALLS.get(call);
  if (known?.settings === settings) return known.redactor;
  const redactor = new Redactor([...secretTokens(settings), ...secrets]);
  OF_CALLS.set(call, { settings, redactor });
  return redactor;
}

/** Hides the token in a path, in which all else is needed. */
export function redactPath(path: string, settings: Tokens): string {
  return redactorOfTokens(settings).hide(path);
}

function redactorOfTokens(settings: Tokens): Redactor {
  const redactor = OF_TOKENS.get(settings) ?? new Redactor(secretTokens(settings));
  OF_TOKENS.set(settings, redactor);
  return redactor;
}

function secretTokens({ token = '', otherSecrets }: Tokens): readonly string[] {
  return [token, ...otherSecrets].filter(isSecretToken);
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
