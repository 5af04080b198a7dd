import type { Field, FieldValues } from '../../model';
import { Redactor } from '../../text';
import type { ClientCall } from '../call-options';
import type { Settings } from '../options/client-settings';

/**
 * Shorter texts, such as `ops`, are not treated as secrets, because replacing them would make
 * messages unreadable.
 */
const SHORTEST_SECRET = 4;
/** Tokens of real servers are longer. */
const SHORTEST_TOKEN = 8;

/**
 * Whether a token is treated as a secret. Tokens of development servers, such as `root`, are words
 * that messages need.
 */
export function isSecretToken(token: string): boolean {
  return token.length >= SHORTEST_TOKEN;
}

type Tokens = Pick<Settings, 'token' | 'otherSecrets'>;

/**
 * Redactors are shared by the attempts of a call and by calls with the same tokens, because
 * creating one takes longer than a request.
 */
const OF_TOKENS = new WeakMap<Tokens, Redactor>();
const OF_CALLS = new WeakMap<ClientCall, { readonly settings: Tokens; readonly redactor: Redactor }>();

/** Returns a redactor for the token and the sent values, since servers and proxies repeat both. */
export function redactorOf(call: ClientCall, settings: Tokens): Redactor {
  const sent = call.secrets ?? (call.publicBody ? [] : textsWithin(call.body));
  const secrets = sent.filter(({ length }) => length >= SHORTEST_SECRET);
  if (secrets.length === 0) return redactorOfTokens(settings);
  const known = OF_CALLS.get(call);
  if (known?.settings === settings) return known.redactor;
  const redactor = new Redactor([...secretTokens(settings), ...secrets]);
  OF_CALLS.set(call, { settings, redactor });
  return redactor;
}

/** Hides the token in a path. Everything else in it is shown. */
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

/** Returns every text within a JSON value, except keys. */
export function textsWithin(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsWithin);
}

/** Returns the texts among an object's values that the model marks as secret. */
export function secretsAmong(
  fields: Readonly<Record<string, Field>>,
  values: FieldValues,
): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    fields[name]?.sensitive && typeof value === 'string' ? [value] : [],
  );
}
