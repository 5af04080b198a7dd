import { errorWords } from '../../src/client/error-words';

const MESSAGE = 'error:0b000074:X.509 certificate routines:OPENSSL_internal:KEY_VALUES_MISMATCH';

test.each<[what: string, facts: object, words: string]>([
  [
    'of OpenSSL has its reason',
    { code: 'ERR_OSSL_X509_KEY_VALUES_MISMATCH', reason: 'key values mismatch' },
    'key values mismatch',
  ],
  [
    'of BoringSSL has its reason in lower case',
    { code: 'ERR_SSL_WRONG_VERSION_NUMBER', reason: 'WRONG_VERSION_NUMBER' },
    'wrong version number',
  ],
  ['of OpenSSL without a reason has its message', { code: 'ERR_SSL_X' }, MESSAGE],
  ['of another kind with a reason has its message', { code: 'ECONNRESET', reason: 'reset' }, MESSAGE],
])('an error %s', (_, facts, words) => {
  expect(errorWords(Object.assign(new Error(MESSAGE), facts))).toBe(words);
});
