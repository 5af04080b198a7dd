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

/** Ways to write the bytes or characters of a secret one by one, or with something in between. */
export const CODES: Readonly<Record<string, (text: string) => string>> = {
  'in base32': (text) => base32(text),
  'in base32, in small letters': (text) => base32(text).toLowerCase(),
  'in quoted-printable': (text) => quotedPrintable(text),
  'in quoted-printable, in lines': (text) => quotedPrintable(text).replace(/.{9}/g, '$&=\r\n'),
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
  'in a style sheet': (text) => [...text].map((each) => `\\${digits(each.codePointAt(0)!, 16, 6)}`).join(''),
  'in HTML, without the ends': (text) => [...text].map((each) => `&#${each.codePointAt(0)}`).join(''),
  'in octal numbers': (text) => bytesOf(text, (byte) => `${digits(byte, 8, 3)} `),
  'in binary numbers': (text) => bytesOf(text, (byte) => `${digits(byte, 2, 8)} `),
};

function digits(number: number, base: number, length: number): string {
  return number.toString(base).padStart(length, '0');
}

function base32(text: string): string {
  const bits = bytesOf(text, (byte) => digits(byte, 2, 8));
  return bits.replace(
    /.{1,5}/g,
    (five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[parseInt(five.padEnd(5, '0'), 2)]!,
  );
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
