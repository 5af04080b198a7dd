import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeServerCertificate } from '../../../src/emulator/http/certificates';
import { type Emulator, startEmulator } from '../../../src/emulator';
import { temporaryFolder } from '../../support/temporary-folder';
import { Api } from '../support/api';
import { calls, enablePrimary, expectStatus, issueToken, status } from './support/set';

let emulator: Emulator;
let us: Api;
let eu: Api;
let caFile: string;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder('replication-tls');
  emulator = await startEmulator({
    clusters: { us: 0, eu: 0 },
    rootToken: 'root',
    unavailableMs: 0,
    tls: true,
  });
  caFile = emulator.clusters.us?.caCertFile ?? '';
  const ca = readFileSync(caFile, 'utf8');
  us = new Api(emulator.clusters.us?.address ?? '', 'root', ca);
  eu = new Api(emulator.clusters.eu?.address ?? '', 'root', ca);
  await enablePrimary(us);
});
afterEach(() => emulator.close());

async function enable(body: object): Promise<{ code: number; error: string | undefined }> {
  const token = await issueToken(us, 'eu');
  const answer = await eu.post(`${calls}/secondary/enable`, { token, ...body });
  return { code: answer.status, error: answer.body.errors?.[0] as string | undefined };
}

it.each([
  ['ca_file', () => ({ ca_file: caFile })],
  [
    'ca_path',
    () => {
      mkdirSync(join(folder, 'not-a-file'));
      copyFileSync(caFile, join(folder, 'ca.pem'));
      return { ca_path: folder };
    },
  ],
])('the certificate of the primary is trusted by %s', async (_, body) => {
  expect(await enable(body())).toEqual({ code: 200, error: undefined });
  expect(await status(eu)).toMatchObject({
    connection_state: 'ready',
    primaries: [{ api_address: us.address }],
  });
});

it('the CAs of the system are trusted by default, and in place of them a CA that the request names', async () => {
  const untrusted = {
    code: 500,
    error: `error unwrapping secondary token: Post "${us.address}/v1/sys/wrapping/unwrap": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
  };
  expect(await enable({})).toEqual(untrusted);
  await us.post(`${calls}/primary/revoke-secondary`, { id: 'eu' });
  const other = join(folder, 'other.pem');
  writeFileSync(other, makeServerCertificate().caCertificate);
  expect(await enable({ ca_file: other })).toEqual(untrusted);
  expect(await status(eu)).toEqual({ mode: 'disabled' });
});

it.each(['ca_file', 'ca_path'])('a %s that does not exist is refused', async (field) => {
  const path = join(folder, 'missing');
  expect(await enable({ [field]: path })).toEqual({ code: 400, error: `error reading CA "${path}": ENOENT` });
});

it.each(['ca_file', 'ca_path'])('a %s without a certificate is refused', async (field) => {
  const file = join(folder, 'notes.txt');
  writeFileSync(file, 'no certificate');
  const path = field === 'ca_file' ? file : folder;
  expect(await enable({ [field]: path })).toEqual({
    code: 400,
    error: `error reading CA "${path}": no certificate in it`,
  });
});

it('the host of primary_api_addr must be in the certificate', async () => {
  const { port } = new URL(us.address);
  expect(await enable({ ca_file: caFile, primary_api_addr: `https://localhost:${port}` })).toMatchObject({
    code: 200,
  });
  await us.post(`${calls}/primary/revoke-secondary`, { id: 'eu' });
});

it('an encrypted token needs no CA', async () => {
  const made = await expectStatus(eu.post(`${calls}/secondary/generate-public-key`), 200);
  const request = { id: 'eu', secondary_public_key: made.body.data.secondary_public_key as string };
  const { token } = (await us.post(`${calls}/primary/secondary-token`, request)).body.data;
  await expectStatus(eu.post(`${calls}/secondary/enable`, { token }), 200);
  expect(await status(eu)).toMatchObject({ connection_state: 'ready' });
});
