// A trailing newline is no part of base64, but the server's decoder skips line breaks wherever they are.
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** In nearly every policy document within the first word, so that the rest need not be looked at. */
const NEVER_IN_BASE64 = /[^A-Za-z0-9+/=\r\n]/;
const BINARY = /[^\P{Cc}\t\r\n]/u;

/**
 * The policy document that `text` stands for: base64 is decoded, anything else is taken as it is.
 * Text that merely looks like base64, and decodes to something that is no text, is taken as it is.
 * Interface section 2.2.
 */
export function policyText(text: string): string {
  return decodeBase64Text(text) ?? text;
}

/**
 * What to send so that the server stores `policyText(text)`. The server decodes whatever happens to be
 * valid base64, so that such a document has to be encoded once more.
 */
export function policyTextForWrite(text: string): string {
  const document = policyText(text);
  return isBase64(document) ? encodeBase64(document) : document;
}

function isBase64(text: string): boolean {
  if (NEVER_IN_BASE64.test(text)) return false;
  const joined = text.replace(/[\r\n]/g, '');
  return joined !== '' && BASE64.test(joined);
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
