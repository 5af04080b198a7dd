import { policyText, policyTextForWrite } from '../../../src/model';

const POLICY = 'path "secret/*" {\n  capabilities = ["read"] # é\n}\n';
const ENCODED = Buffer.from(POLICY).toString('base64');

test('plain text is sent as it is', () => {
  expect(policyTextForWrite(POLICY)).toBe(POLICY);
  expect(policyText(POLICY)).toBe(POLICY);
  expect(policyText(`${POLICY}\n`)).toBe(`${POLICY}\n`);
});

test.each([
  ['base64', ENCODED],
  ['base64 with line breaks', ENCODED.replace(/(.{20})/g, '$1\r\n')],
  ['base64 with a final newline', `${ENCODED}\n`],
])('policyText decodes the text %s', (_what, written) => {
  expect(policyText(written)).toBe(POLICY);
  expect(policyTextForWrite(written)).toBe(POLICY);
});

test.each([['main'], ['//abcdef'], ['abcdefgh']])(
  'the document %s, which the server would read as base64, is sent encoded',
  (text) => {
    const sent = policyTextForWrite(text);
    expect(Buffer.from(sent, 'base64').toString()).toBe(text);
    expect(sent).not.toBe(text);
    expect(policyText(text)).toBe(text);
  },
);

test.each([[''], ['a'], ['abc'], ['path'.repeat(3) + '!'], ['aGk='.repeat(2)]])(
  'the text %j is not base64, and is not decoded',
  (text) => {
    expect(policyText(text)).toBe(text);
    expect(policyTextForWrite(text)).toBe(text);
  },
);

test('base64 of base64 decodes to the inner base64', () => {
  const twice = Buffer.from(ENCODED).toString('base64');
  expect(policyText(twice)).toBe(ENCODED);
  expect(policyTextForWrite(twice)).toBe(twice);
});

test('base64 of binary data is kept as it is', () => {
  const binary = Buffer.from([1, 2, 3]).toString('base64');
  expect(policyText(binary)).toBe(binary);
});
