import { strict, textArgument } from '../values/arguments';
import { bytesOf, textOf } from '../values/text';
import { NativeFault, type NativeFunction, type Value } from '../values/value';

export const BASE64: Readonly<Record<string, Value>> = {
  encode: encoder('base64.encode', (encoded) => encoded),
  urlencode: encoder('base64.urlencode', (encoded) => encoded.replaceAll('+', '-').replaceAll('/', '_')),
  decode: decoder('base64.decode', /^[A-Za-z0-9+/]*={0,2}$/),
  urldecode: decoder('base64.urldecode', /^[A-Za-z0-9_-]*={0,2}$/),
};

function encoder(name: string, finish: (encoded: string) => string): NativeFunction {
  return strict(name, [1, 1], ([text], caller) => {
    const encoded = Buffer.from(bytesOf(textArgument(name, text))).toString('base64');
    caller.allocate(encoded.length);
    return finish(encoded);
  });
}

function decoder(name: string, allowed: RegExp): NativeFunction {
  return strict(name, [1, 1], ([text], caller) => {
    const encoded = textArgument(name, text);
    const digits = encoded.replace(/[\r\n]/g, '');
    if (!allowed.test(digits) || digits.length % 4 !== 0)
      throw new NativeFault(`${name}: the text is not valid base64`);
    caller.allocate(encoded.length);
    return textOf(Buffer.from(digits.replaceAll('-', '+').replaceAll('_', '/'), 'base64'));
  });
}
