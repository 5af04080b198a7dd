import tls from 'node:tls';
import { createCertificate } from '../../../src/plugin/wire/certificate';
import { createConnectionServer } from '../../../src/plugin/wire/connection';

test('a server on Node.js has an empty list of authorities, so that Node.js does not read those of the system', () => {
  const create = jest.spyOn(tls, 'createServer');
  createConnectionServer(
    { certificate: createCertificate(), clientCertificate: createCertificate() },
    () => {},
  );
  expect(create.mock.calls.map(([options]) => options.ca)).toEqual([[]]);
});
