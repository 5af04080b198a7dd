import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createCertificate, derOfPem } from '../../../src/plugin/wire/certificate';

test('a certificate is self-signed, for localhost, and valid from a day before for a year', () => {
  const { pem, key, der } = createCertificate(new Date('2026-03-01T12:00:00Z'));
  const certificate = new X509Certificate(pem);
  expect(certificate.ca).toBe(true);
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(certificate.checkHost('example.com')).toBeUndefined();
  expect(certificate.subject).toBe('CN=localhost');
  expect(certificate.issuer).toBe('CN=localhost');
  expect(certificate.validFrom).toBe('Feb 28 12:00:00 2026 GMT');
  expect(certificate.validTo).toBe('Mar  1 12:00:00 2027 GMT');
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
  expect(certificate.raw.equals(der)).toBe(true);
  expect(derOfPem(pem).equals(der)).toBe(true);
});

test('a text without a certificate is refused', () => {
  expect(() => derOfPem('-----BEGIN CERTIFICATE-----')).toThrow('no certificate in PEM format was found');
});
