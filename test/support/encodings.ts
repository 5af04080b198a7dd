/** The ways in which servers, proxies and libraries write a text. */
export const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  'in JSON': (text) => JSON.stringify(text).slice(1, -1),
  'in JSON of Go': (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll('/', '\\/')
      .replaceAll('\\"', '\\u0022')
      .replaceAll('<', '\\u003c'),
  'in ASCII': (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'as code points': (text) => [...text].map((each) => `\\u{${each.codePointAt(0)!.toString(16)}}`).join(''),
  'in a URL': encodeURIComponent,
  'in a URL, with small digits': (text) =>
    encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'in a form': (text) => new URLSearchParams([[text, '']]).toString().slice(0, -1),
  'as bytes of a URL': (text) => bytesOf(text, (byte) => `%${byte.toString(16).padStart(2, '0')}`),
  'as bytes of Go': (text) => bytesOf(text, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`),
  'in octal': (text) => bytesOf(text, (byte) => `\\${byte.toString(8).padStart(3, '0')}`),
  'in HTML': (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&#34;')
      .replaceAll("'", '&#39;'),
  'in numbers of HTML': (text) =>
    [...text].map((each) => `&#x${each.codePointAt(0)!.toString(16)};`).join(''),
  'in a shell': (text) => text.replaceAll("'", "'\\''"),
  'in YAML': (text) => text.replaceAll("'", "''"),
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64 without padding': (text) => Buffer.from(text).toString('base64').replaceAll('=', ''),
  'in base64 of URLs': (text) => Buffer.from(text).toString('base64url'),
  'in base64, in lines': (text) =>
    Buffer.from(text)
      .toString('base64')
      .replace(/.{10}(?=.)/g, '$&\n'),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  'in hexadecimal, in capitals': (text) => Buffer.from(text).toString('hex').toUpperCase(),
};

function bytesOf(text: string, write: (byte: number) => string): string {
  return [...Buffer.from(text)].map(write).join('');
}
