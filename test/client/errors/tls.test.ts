import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerOptions } from 'node:https';
import type { TlsOptions, VaultError } from '../../../src/client';
import { ipAddress } from '../../../src/certificates';
import { temporaryFolder } from '../../support/temporary-folder';
import { type Authority, makeAuthority, makeCertificate, type Pair } from '../support/certificates';
import { connect, envelope, failureOf } from '../support/client';
import { serve, serveRaw, type TestServer } from '../support/server';

const IP = { ip: ipAddress('127.0.0.1') };

let folder: string;
let authority: Authority;
let stranger: Authority;
let good: Pair;
/** The authority's certificate in a file. */
let caCertFile: string;

beforeAll(() => {
  folder = temporaryFolder('client-tls');
  authority = makeAuthority('Authority');
  stranger = makeAuthority('Stranger');
  good = makeCertificate(authority, [IP]);
  caCertFile = file('ca.pem', authority.cert);
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function secureServer(pair: Pair, more: ServerOptions = {}): Promise<TestServer> {
  return serve({ json: envelope({ found: true }) }, { ...pair, ...more });
}

async function read(server: { address: string }, tls: TlsOptions): Promise<unknown> {
  return (await connect(server, { tls }).read('x'))?.data;
}

function failure(server: { address: string }, tls: TlsOptions): Promise<VaultError> {
  return failureOf(read(server, tls));
}

describe('trusted authorities', () => {
  test('an authority may be a file, a text or a directory, and the file takes precedence', async () => {
    const server = await secureServer(good);
    const directory = mkdtempSync(join(folder, 'authorities-'));
    writeFileSync(join(directory, 'a.pem'), stranger.cert);
    writeFileSync(join(directory, 'b.pem'), authority.cert);
    for (const tls of [
      { caCertFile },
      { caCertPem: authority.cert },
      { caCertDir: directory },
      { caCertFile, caCertPem: stranger.cert, caCertDir: '/nowhere' },
      { caCertPem: authority.cert, caCertDir: '/nowhere' },
      { skipVerify: true },
    ]) {
      expect(await read(server, tls)).toEqual({ found: true });
    }
  });

  test('the error about an unknown authority has advice', async () => {
    const server = await secureServer(good);
    for (const [tls, cure] of [
      [{}, 'Set caCertFile (ca_cert_file, VAULT_CACERT) to the certificate of the authority that signed it.'],
      [
        { caCertPem: stranger.cert },
        'caCertPem (VAULT_CACERT_BYTES) is given, without the certificate of the authority that signed it: ' +
          'set it to that certificate.',
      ],
    ] as const) {
      const error = await failure(server, tls);
      expect(error).toMatchObject({ code: 'tls_not_trusted', attempts: 1, address: server.address });
      expect(error.message).toBe(
        `cannot read x on ${server.address}: the server's certificate is not trusted (unable to verify the first certificate). ` +
          cure,
      );
    }
    expect(server.requests).toHaveLength(0);
  });

  test('the errors about an expired and a future certificate have advice', async () => {
    const days = [
      [{ validFrom: -9, validTo: -8 }, 'certificate has expired'],
      [{ validFrom: 8, validTo: 9 }, 'certificate is not yet valid'],
    ] as const;
    for (const [valid, text] of days) {
      const error = await failure(await secureServer(makeCertificate(authority, [IP], valid)), {
        caCertFile,
      });
      expect(error).toMatchObject({ code: 'tls_not_trusted', attempts: 1 });
      expect(error.message).toContain(
        `the server's certificate is expired or not yet valid (${text}). Renew the certificate, or correct this machine's clock.`,
      );
    }
  });

  test('a certificate for another host is refused, and accepted if serverName is that host', async () => {
    const server = await secureServer(makeCertificate(authority, [{ dns: 'vault.example.com' }]));
    const error = await failure(server, { caCertFile });
    expect(error).toMatchObject({ code: 'tls_wrong_host', attempts: 1 });
    expect(error.message).toContain(
      "the server's certificate is for a different host (Hostname/IP does not match certificate's altnames: " +
        "IP: 127.0.0.1 is not in the cert's list: ). Use an address (VAULT_ADDR) that the certificate contains, " +
        'or set serverName (tls_server_name, VAULT_TLS_SERVER_NAME) to one.',
    );
    expect(error.cause).not.toHaveProperty('cert');
    expect(await read(server, { caCertFile, serverName: 'vault.example.com' })).toEqual({ found: true });
  });
});

describe('client certificates', () => {
  const demanding = { requestCert: true, rejectUnauthorized: true };

  test('a certificate that the server trusts is accepted', async () => {
    const client = makeCertificate(authority, [{ dns: 'client' }]);
    const server = await secureServer(good, { ...demanding, ca: authority.cert });
    const tls = {
      caCertFile,
      clientCertFile: file('client.pem', client.cert),
      clientKeyFile: file('client.key', client.key),
    };
    expect(await read(server, tls)).toEqual({ found: true });
  });

  test('the error about a missing certificate has advice on TLS 1.2', async () => {
    const server = await secureServer(good, { ...demanding, ca: authority.cert, maxVersion: 'TLSv1.2' });
    const error = await failure(server, { caCertFile });
    expect(error).toMatchObject({ code: 'tls_client_certificate', attempts: 1 });
    expect(error.message).toContain(
      'It may require a client certificate that it trusts: check clientCertFile (client_auth.cert_file, VAULT_CLIENT_CERT).',
    );
  });

  test('the error about a missing certificate has advice on TLS 1.3, where the server refuses it only after the handshake', async () => {
    const server = await secureServer(good, { ...demanding, ca: authority.cert });
    const error = await failure(server, { caCertFile });
    expect(error.code).toBe('tls_client_certificate');
    expect(error.message).toContain(
      'It may require a client certificate that it trusts: check clientCertFile (client_auth.cert_file, VAULT_CLIENT_CERT).',
    );
  });
});

describe('servers with other protocols', () => {
  test('plain HTTP at an https:// address has advice', async () => {
    const server = await serve({ json: {} });
    const error = await failure({ address: server.address.replace('http:', 'https:') }, {});
    expect(error).toMatchObject({ code: 'wrong_scheme', attempts: 1 });
    expect(error.message).toContain(
      'the server does not use TLS (wrong version number). ' +
        'Use an http:// address (VAULT_ADDR), or the port of the TLS listener.',
    );
  });

  test('TLS at an http:// address has advice if the server answers with an alert', async () => {
    const alert = Buffer.from([0x15, 3, 1, 0, 2, 2, 70]);
    const host = await serveRaw((socket) => socket.once('data', () => socket.end(alert)));
    const error = await failure({ address: `http://${host}` }, {});
    expect(error).toMatchObject({ code: 'wrong_scheme', attempts: 1 });
    expect(error.message).toContain('It may use TLS: use an https:// address (VAULT_ADDR), or another port.');
  });

  test('TLS at an http:// address has advice if the server closes the connection', async () => {
    const server = await secureServer(good);
    const error = await failure({ address: server.address.replace('https:', 'http:') }, {});
    expect(error.code).toBe('connection_lost');
    expect(error.message).toContain('it may require TLS: use an https:// address.');
  });

  test('the error about a version of TLS that is too old has advice', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;
    const error = await failure(await secureServer(good, old), { caCertFile });
    expect(error).toMatchObject({ code: 'tls_failed', attempts: 1 });
    expect(error.message).toContain(
      'TLS could not be set up (tlsv1 alert protocol version). Both sides must support TLS 1.2 or newer',
    );
  });
});

describe('unusable files', () => {
  const server = { address: 'https://127.0.0.1:1' };

  test.each<[string, () => TlsOptions, (tls: TlsOptions) => string]>([
    [
      'a file that is not there',
      () => ({ caCertFile: join(folder, 'nowhere.pem') }),
      ({ caCertFile: path }) =>
        `cannot use ${path} for TLS: it does not exist; check caCertFile (ca_cert_file, VAULT_CACERT)`,
    ],
    [
      'a file without a certificate',
      () => ({ caCertFile: file('empty.pem', 'hello') }),
      ({ caCertFile: path }) =>
        `cannot use ${path} for TLS: it holds no PEM certificate; check caCertFile (ca_cert_file, VAULT_CACERT)`,
    ],
    [
      'text without a certificate',
      () => ({ caCertPem: 'hello' }),
      () =>
        'cannot use the text given for TLS: it holds no PEM certificate; check caCertPem (VAULT_CACERT_BYTES)',
    ],
    [
      'a directory that is not there',
      () => ({ caCertDir: join(folder, 'nowhere') }),
      ({ caCertDir: path }) =>
        `cannot use ${path} for TLS: it does not exist; check caCertDir (ca_cert_dir, VAULT_CAPATH)`,
    ],
    [
      'an empty directory',
      () => ({ caCertDir: mkdtempSync(join(folder, 'empty-')) }),
      ({ caCertDir: path }) =>
        `cannot use ${path} for TLS: it holds no file; check caCertDir (ca_cert_dir, VAULT_CAPATH)`,
    ],
    [
      'a key that is not there',
      () => ({ clientCertFile: file('cert.pem', good.cert), clientKeyFile: '/nowhere' }),
      () =>
        'cannot use /nowhere for TLS: it does not exist; check clientKeyFile (client_auth.key_file, VAULT_CLIENT_KEY)',
    ],
  ])('an unusable file is an error: %s', async (_, options, message) => {
    const tls = options();
    const error = await failure(server, tls);
    expect(error.code).toBe('invalid_options');
    expect(error.message).toBe(message(tls));
  });

  test('the key of another certificate is an error', async () => {
    const tls = { clientCertFile: file('one.pem', good.cert), clientKeyFile: file('two.key', authority.key) };
    const error = await failure(server, tls);
    expect(error.code).toBe('invalid_options');
    expect(error.message).toMatch(`cannot use ${tls.clientCertFile} with ${tls.clientKeyFile} for TLS: `);
    expect(error.message).toMatch(
      'key values mismatch; check clientCertFile (client_auth.cert_file, VAULT_CLIENT_CERT)',
    );
  });

  test('the files are not read before the first call, or for plain HTTP', async () => {
    const plain = await serve({ json: envelope({ found: true }) });
    expect(await read(plain, { caCertFile: '/nowhere' })).toEqual({ found: true });
  });
});
