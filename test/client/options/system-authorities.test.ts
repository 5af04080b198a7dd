import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { systemAuthorities } from '../../../src/client/options/open-connection';
import { ipAddress } from '../../../src/certificates';
import { temporaryFolder } from '../../support/temporary-folder';
import { makeAuthority, makeCertificate } from '../support/certificates';
import { connect, envelope, failureOf } from '../support/client';
import { serve } from '../support/server';

const SAVED = { ...process.env };

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('authorities');
});
afterEach(() => (process.env = { ...SAVED }));

/** Writes a file that stands for a certificate. */
function file(name: string, text = `-----BEGIN CERTIFICATE-----${name}`): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const text = (name: string) => `-----BEGIN CERTIFICATE-----${name}`;

test('the first existing bundle, and the extra file of Node.js, are read', () => {
  const bundles = [join(folder, 'missing'), file('bundle'), file('another')];
  expect(systemAuthorities({}, bundles)).toEqual([text('bundle')]);
  expect(systemAuthorities({ SSL_CERT_FILE: '', SSL_CERT_DIR: '' }, bundles)).toEqual([text('bundle')]);
  expect(systemAuthorities({ NODE_EXTRA_CA_CERTS: file('extra') }, bundles)).toEqual([
    text('bundle'),
    text('extra'),
  ]);
  expect(systemAuthorities({ NODE_EXTRA_CA_CERTS: join(folder, 'missing') }, bundles)).toEqual([
    text('bundle'),
  ]);
});

test('the variables of OpenSSL replace the bundle', () => {
  const bundles = [file('bundle')];
  mkdirSync(join(folder, 'a'));
  mkdirSync(join(folder, 'b'));
  file('a/1');
  file('a/2');
  file('b/3');
  const folders = [join(folder, 'a'), '', join(folder, 'b')].join(delimiter);
  expect(systemAuthorities({ SSL_CERT_FILE: file('own') }, bundles)).toEqual([text('own')]);
  expect(systemAuthorities({ SSL_CERT_DIR: folders }, bundles)).toEqual(['a/1', 'a/2', 'b/3'].map(text));
  expect(systemAuthorities({ SSL_CERT_FILE: file('own'), SSL_CERT_DIR: join(folder, 'b') }, bundles)).toEqual(
    [text('own'), text('b/3')],
  );
});

test('an unusable file in a variable is an error with its name', () => {
  const missing = join(folder, 'missing');
  expect(() => systemAuthorities({ SSL_CERT_FILE: missing })).toThrow(
    `cannot use ${missing} for TLS: it does not exist; check SSL_CERT_FILE`,
  );
  const other = file('other', 'no certificate');
  expect(() => systemAuthorities({ SSL_CERT_FILE: other })).toThrow(
    `cannot use ${other} for TLS: it holds no PEM certificate; check SSL_CERT_FILE`,
  );
  expect(() => systemAuthorities({ SSL_CERT_DIR: missing })).toThrow(
    `cannot use ${missing} for TLS: it does not exist; check SSL_CERT_DIR`,
  );
});

test('a server whose authority the system trusts is trusted by default', async () => {
  const authority = makeAuthority('Authority');
  const server = await serve(
    { json: envelope({ found: true }) },
    makeCertificate(authority, [{ ip: ipAddress('127.0.0.1') }]),
  );
  const read = async () => (await connect(server).read('x'))?.data;
  process.env.SSL_CERT_FILE = file('stranger', makeAuthority('Stranger').cert);
  expect((await failureOf(read())).code).toBe('tls_not_trusted');

  process.env.NODE_EXTRA_CA_CERTS = file('extra', authority.cert);
  expect(await read()).toEqual({ found: true });
  delete process.env.NODE_EXTRA_CA_CERTS;

  process.env.SSL_CERT_FILE = file('authority', authority.cert);
  expect(await read()).toEqual({ found: true });

  // The authorities of the option replace those of the system.
  const tls = { caCertPem: readFileSync(join(folder, 'stranger'), 'utf8') };
  expect((await failureOf(connect(server, { tls }).read('x'))).code).toBe('tls_not_trusted');
});
