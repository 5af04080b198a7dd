import {
  createSecureServer,
  createServer,
  type Http2Server,
  type Http2SecureServer,
  type Http2Session,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { createCertificate, derOfPem } from './certificate';

const MIB = 1024 * 1024;
const OPTIONS = {
  // Attribute values may have any size; Terraform sends as many at a time as its -parallelism allows.
  maxSessionMemory: 1_000_000,
  settings: { initialWindowSize: MIB },
};
const CONNECTION_WINDOW = 16 * MIB;

interface Connection {
  readonly server: Http2Server | Http2SecureServer;
  /** The certificate that Terraform must trust; absent without TLS. */
  readonly certificate?: Buffer;
}

/**
 * An HTTP/2 server for Terraform alone.
 *
 * @param clientCertificate the certificate, as PEM, that Terraform will show; anybody else is cut off. Left out: no
 *   TLS, as Terraform asks for with TF_DISABLE_PLUGIN_TLS and in reattach mode.
 */
export function createConnection(clientCertificate: string | undefined): Connection {
  const connection =
    clientCertificate === undefined ? { server: createServer(OPTIONS) } : createSecure(clientCertificate);
  connection.server.on('session', (session: Http2Session) => session.setLocalWindowSize(CONNECTION_WINDOW));
  return connection;
}

function createSecure(clientCertificate: string): Connection {
  const expected = derOfPem(clientCertificate);
  const certificate = createCertificate();
  const server = createSecureServer({
    ...OPTIONS,
    key: certificate.key,
    cert: certificate.pem,
    minVersion: 'TLSv1.2',
    requestCert: true,
    // Terraform's certificate is compared byte by byte instead: no chain is built, no root store read.
    ca: [],
    rejectUnauthorized: false,
  });
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    const shown = socket.getPeerX509Certificate()?.raw;
    if (!shown?.equals(expected)) socket.destroy();
  });
  return { server, certificate: certificate.der };
}
