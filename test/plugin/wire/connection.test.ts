import tls, { type TlsOptions } from 'node:tls';
import { createCertificate } from '../../../src/plugin/wire/certificate';
import { createConnectionServer } from '../../../src/plugin/wire/connection';

test('on Node.js, no authorities are given to the server, because it would read many others with them', () => {
  const create = jest.spyOn(tls, 'createServer');
  createConnectionServer(
    { certificate: createCertificate(), clientCertificate: createCertificate() },
    () => {},
  );
  expect(create.mock.calls.map(([options]) => (options).ca)).toEqual([[]]);
});
