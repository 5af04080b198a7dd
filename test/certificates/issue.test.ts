import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createServer, connect } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import fc from 'fast-check';
import {
  type Certificate,
  type CertificateRequest,
  ipAddress,
  issueCertificate,
} from '../../src/certificates';

const VALIDITY = { validFrom: new Date('2026-03-01T12:00:00Z'), validTo: new Date('2027-03-01T12:00:00Z') };
const AUTHORITY: CertificateRequest = { ...VALIDITY, commonName: 'Authority', authority: true };

function read({ pem }: Certificate): X509Certificate {
  return new X509Certificate(pem);
}

test('the certificate of an authority is self-signed, and may only be used to sign others', () => {
  const issued = issueCertificate(AUTHORITY);
  const authority = read(issued);
  expect(authority.ca).toBe(true);
  expect(authority.subject).toBe('CN=Authority');
  expect(authority.issuer).toBe('CN=Authority');
  expect(authority.keyUsage).toBeUndefined();
  expect(authority.subjectAltName).toBeUndefined();
  expect(authority.verify(authority.publicKey)).toBe(true);
  expect(authority.checkPrivateKey(createPrivateKey(issued.key))).toBe(true);
  expect(authority.validFrom).toBe('Mar  1 12:00:00 2026 GMT');
  expect(authority.validTo).toBe('Mar  1 12:00:00 2027 GMT');
});

test('a certificate that an authority issued has the requested names and uses, and may not sign others', () => {
  const issuer = issueCertificate(AUTHORITY);
  const issued = issueCertificate({
    ...VALIDITY,
    commonName: 'Server',
    uses: ['server'],
    names: [{ dns: 'localhost' }, { ip: ipAddress('127.0.0.1') }, { ip: ipAddress('::1') }],
    issuer,
  });
  const certificate = read(issued);
  expect(certificate.ca).toBe(false);
  expect(certificate.subject).toBe('CN=Server');
  expect(certificate.issuer).toBe('CN=Authority');
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(certificate.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
  expect(certificate.checkIssued(read(issuer))).toBe(true);
  expect(certificate.verify(read(issuer).publicKey)).toBe(true);
  expect(certificate.verify(certificate.publicKey)).toBe(false);
  expect(certificate.checkPrivateKey(createPrivateKey(issued.key))).toBe(true);
});

test('the bits of key usages end with the last one that is set, as DER requires', () => {
  const usages = (request: Partial<CertificateRequest>) => {
    const { der } = issueCertificate({ ...VALIDITY, commonName: 'X', ...request });
    const KEY_USAGE = Buffer.from('0603551d0f0101ff0404', 'hex');
    const start = der.indexOf(KEY_USAGE) + KEY_USAGE.length;
    return der.subarray(start, start + 4).toString('hex');
  };
  // The value is a bit string of two bytes: the number of unused bits, and the bits.
  expect(usages({ authority: true })).toBe('03020204');
  expect(usages({ uses: ['client'] })).toBe('03020780');
  expect(usages({ authority: true, uses: ['server'] })).toBe('03020284');
});

test('TLS trusts a certificate through its authority, and through no other authority of the same name', async () => {
  const now = Date.now();
  const validity = { validFrom: new Date(now - 60_000), validTo: new Date(now + 60_000) };
  const issuer = issueCertificate({ ...AUTHORITY, ...validity });
  const names = [{ ip: ipAddress('127.0.0.1') }];
  const issued = issueCertificate({ ...validity, commonName: 'Server', uses: ['server'], names, issuer });
  const server = createServer({ cert: issued.pem, key: issued.key }, (socket) => socket.end('hello'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const reach = async (ca: Certificate) => {
      const socket = connect({ port, host: '127.0.0.1', ca: ca.pem });
      await once(socket, 'secureConnect');
      socket.destroy();
    };
    await reach(issuer);
    await expect(reach(issueCertificate({ ...AUTHORITY, ...validity }))).rejects.toMatchObject({
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    });
  } finally {
    server.close();
  }
});

test('a certificate for an IP address is valid for that address in every notation, and for no other', () => {
  const validFor = (ip: string, checked: string) =>
    read(
      issueCertificate({ ...VALIDITY, commonName: 'X', uses: ['server'], names: [{ ip: ipAddress(ip) }] }),
    ).checkIP(checked);
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.ipV6(), (ip, other) => {
      expect(validFor(ip, ip)).toBe(ip);
      if (
        new URL(`http://[${other}]`).hostname !== (ip.includes(':') ? new URL(`http://[${ip}]`).hostname : '')
      ) {
        expect(validFor(ip, other)).toBeUndefined();
      }
    }),
    { numRuns: 200 },
  );
  expect(validFor('::ffff:192.0.2.1', '::ffff:c000:201')).toBe('::ffff:c000:201');
  expect(validFor('2001:db8::', '2001:db8:0:0:0:0:0:0')).toBe('2001:db8:0:0:0:0:0:0');
  expect(() => validFor('300.0.0.1', '')).toThrow(
    'an IP address is not valid: received "300.0.0.1"; allowed: such as 127.0.0.1 or ::1',
  );
});

// Keys, serial numbers and signatures are random: a mistake in the encoding of a rare length or
// leading bit only shows in many attempts.
test('a certificate is well-formed in every attempt', () => {
  const issuer = issueCertificate(AUTHORITY);
  const serials = new Set<string>();
  for (let i = 0; i < 3000; i++) {
    const issued = issueCertificate({ ...VALIDITY, commonName: 'X', uses: ['server'], issuer });
    const certificate = read(issued);
    if (!certificate.verify(read(issuer).publicKey)) throw new Error(`badly signed: ${issued.pem}`);
    if (/\n\n/.test(issued.pem)) throw new Error(`an empty line: ${issued.pem}`);
    serials.add(certificate.serialNumber);
  }
  expect(serials.size).toBe(3000);
});
