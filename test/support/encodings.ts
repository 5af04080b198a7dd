/** The encodings in which servers, proxies and libraries write a text. */
export const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  'in JSON': (text) => inJson(text),
  'in JSON of Go': (text) => inJson(text).replace(/[<>&]/g, asUnit),
  'in JSON of PHP': (text) =>
    inJson(text)
      .replaceAll('/', '\\/')
      .replace(/[^ -~]/g, asUnit),
  'in ASCII': (text) => inJson(text).replace(/[^ -~]/g, asUnit),
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

/**
 * The encodings that are also searched within base64 and hexadecimal, because libraries use them.
 */
export const WITHIN_CODES = [
  'in JSON',
  'in JSON of Go',
  'in JSON of PHP',
  'in ASCII',
  'in a URL',
  'in a URL, with small digits',
  'in a form',
  'in HTML',
  'in base64',
  'in base64 without padding',
  'in base64 of URLs',
  'in hexadecimal',
  'in hexadecimal, in capitals',
].map((name) => ENCODINGS[name]!);

/** The encodings that write the bytes or characters of a text one by one, some with separators. */
export const CODES: Readonly<Record<string, (text: string) => string>> = {
  'in quoted-printable': (text) => quotedPrintable(text),
  'in UTF-16': (text) => Buffer.from(text, 'utf16le').toString('latin1'),
  'in base64 of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'in base64 of UTF-16, the other way round': (text) =>
    Buffer.from(text, 'utf16le').swap16().toString('base64'),
  'in hexadecimal of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('hex'),
  'in hexadecimal, with colons': (text) => bytesOf(text, (byte) => `${digits(byte, 16, 2)}:`),
  'in hexadecimal, as in C': (text) => bytesOf(text, (byte) => `0x${digits(byte, 16, 2)}, `),
  'as a slice of Go': (text) => `[${[...Buffer.from(text)].join(' ')}]`,
  'as runes of Go': (text) => `[${[...text].map((each) => each.codePointAt(0)).join(' ')}]`,
  'as bytes in JSON': (text) => JSON.stringify([...Buffer.from(text)]),
  'as names of code points': (text) =>
    [...text].map((each) => `U+${digits(each.codePointAt(0)!, 16, 4).toUpperCase()} `).join(''),
  'in HTML, without the ends': (text) => [...text].map((each) => `&#${each.codePointAt(0)}`).join(''),
};

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function asUnit(unit: string): string {
  return `\\u${digits(unit.charCodeAt(0), 16, 4)}`;
}

function digits(number: number, base: number, length: number): string {
  return number.toString(base).padStart(length, '0');
}

function quotedPrintable(text: string): string {
  return bytesOf(text, (byte) =>
    byte < 32 || byte > 126 || byte === 61
      ? `=${digits(byte, 16, 2).toUpperCase()}`
      : String.fromCharCode(byte),
  );
}

function bytesOf(text: string, write: (byte: number) => string): string {
  return [...Buffer.from(text)].map(write).join('');
}
