import tls from 'node:tls';
import { createCertificate } from '../../../src/plugin/wire/certificate';
import { createConnectionServer } from '../../../src/plugin/wire/connection';

test('a server on Node.js is given no authorities, because Node.js would read many others with them', () => {
  const create = jest.spyOn(tls, 'createServer');
  createConnectionServer(
    { certificate: createCertificate(), clientCertificate: createCertificate() },
    () => {},
  );
  expect(create.mock.calls.map(([options]) => options.ca)).toEqual([[]]);
});
