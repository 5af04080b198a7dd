/** The bytes that an HTTP/2 client sends before its requests. */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
export const SETTINGS = Buffer.from('000000040000000000', 'hex');
/** The headers of a POST request, encoded by HPACK. */
export const PATH = '828784';

/**
 * Returns a frame.
 *
 * @param payload bytes, or their hexadecimal digits.
 */
export function frame(type: number, flags: number, id: number, payload: string | Buffer = ''): Buffer {
  const body = typeof payload === 'string' ? Buffer.from(payload, 'hex') : payload;
  const header = Buffer.alloc(9);
  header.writeUIntBE(body.length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(id, 5);
  return Buffer.concat([header, body]);
}
