import {
  createSecureServer,
  createServer,
  type Http2Server,
  type Http2SecureServer,
  type Http2Session,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Certificate } from '../../certificates';

const MIB = 1024 * 1024;
const OPTIONS = {
  // Attribute values may have any size; Terraform sends as many at a time as its -parallelism allows.
  maxSessionMemory: 1_000_000,
  settings: { initialWindowSize: MIB },
};
const CONNECTION_WINDOW = 16 * MIB;

/** How Terraform and the plugin recognize each other. */
export interface MutualTls {
  /** Which Terraform must trust. */
  readonly certificate: Certificate;
  /** The certificate, as DER, that Terraform will show; anybody else is cut off. */
  readonly clientCertificate: Buffer;
}

export type PluginServer = Http2Server | Http2SecureServer;

/**
 * An HTTP/2 server for Terraform alone.
 *
 * @param tls left out as Terraform asks for with TF_DISABLE_PLUGIN_TLS, and in reattach mode.
 */
export function createConnection(tls?: MutualTls): PluginServer {
  const server = tls === undefined ? createServer(OPTIONS) : createSecure(tls);
  server.on('session', (session: Http2Session) => session.setLocalWindowSize(CONNECTION_WINDOW));
  return server;
}

function createSecure({ certificate, clientCertificate }: MutualTls): Http2SecureServer {
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
    if (!shown?.equals(clientCertificate)) socket.destroy();
  });
  return server;
}
