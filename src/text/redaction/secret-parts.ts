import { parseForeignJson } from '../json-size';

/**
 * The minimum length in characters. Shorter lines and members are brackets and words such as
 * `true`.
 */
const SHORTEST_PART = 4;
/** The minimum number of digits. Shorter numbers within JSON are ports and sizes. */
const SHORTEST_NUMBER = 6;

/** The line before and after a key in PEM: `-----BEGIN PRIVATE KEY-----`. */
const PEM_BOUNDARY = /^-----[A-Z0-9 ]+-----$/;

/**
 * Members of a cloud's service account that are not secret, and that people need to see what went
 * wrong.
 */
const PUBLIC_MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'project_id',
  'client_email',
  'client_id',
  'auth_uri',
  'token_uri',
  'auth_provider_x509_cert_url',
  'client_x509_cert_url',
  'universe_domain',
]);

/**
 * Returns the parts of a secret that reveal it: the whole, its lines and its members, each also
 * trimmed and collapsed.
 */
export function secretParts(secret: string): readonly string[] {
  const parts = [
    secret,
    ...linesOf(secret),
    ...leavesOf(parsed(secret)).flatMap((member) => [member, ...linesOf(member)]),
  ];
  return [...new Set(parts.flatMap((part) => [part, part.trim(), part.trim().replace(/\s+/g, ' ')]))];
}

/**
 * Returns the lines of a text with several lines, and a PEM key without its boundaries. JSON has
 * members instead.
 */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/[\r\n\u2028\u2029]+/).map((line) => line.trim());
  if (lines.length < 2 || parsed(text) !== undefined) return [];
  const content = lines.filter((line) => line.length >= SHORTEST_PART && !PEM_BOUNDARY.test(line));
  return [...content, content.join('')];
}

/** A JSON object or list. */
function parsed(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseForeignJson(text) as object;
  } catch {
    return undefined;
  }
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string')
    return value.length >= SHORTEST_PART ? [value, ...leavesOf(parsed(value))] : [];
  if (typeof value === 'number') return String(value).length >= SHORTEST_NUMBER ? [String(value)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    PUBLIC_MEMBERS.has(name) ? [] : leavesOf(member),
  );
}
