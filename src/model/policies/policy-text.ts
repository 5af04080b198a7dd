// Matches base64. Line breaks are removed before, because the server's decoder skips them.
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/**
 * Matches characters that base64 does not have. Nearly every policy document has one within its
 * first few words, so the rest of the text need not be examined.
 */
const NEVER_IN_BASE64 = /[^A-Za-z0-9+/=\r\n]/;
const BINARY = /[^\P{Cc}\t\r\n]/u;

/**
 * Returns the policy document in a text: base64 is decoded, anything else is returned as it is.
 * Text that looks like base64 but does not decode to text is also returned as it is.
 */
export function policyText(text: string): string {
  return decodeBase64Text(text) ?? text;
}

/**
 * Returns the text of a request after which the server stores `policyText(text)`. The server
 * decodes all valid base64, so a document that happens to be valid base64 is encoded again.
 */
export function policyTextForWrite(text: string): string {
  const document = policyText(text);
  return isBase64(document) ? encodeBase64(document) : document;
}

function isBase64(text: string): boolean {
  if (NEVER_IN_BASE64.test(text)) return false;
  const joined = text.replace(/[\r\n]/g, '');
  return joined.length % 4 === 0 && BASE64.test(joined);
}

function decodeBase64Text(text: string): string | undefined {
  if (!isBase64(text)) return undefined;
  const bytes = Uint8Array.from(atob(text.replace(/[\r\n]/g, '')), (char) => char.charCodeAt(0));
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return BINARY.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

function encodeBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
