import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { Certificate } from '../../certificates';
import { Http2Connection } from './http2';

/** How Terraform and the plugin recognize each other. */
export interface MutualTls {
  /** Which Terraform must trust. */
  readonly certificate: Certificate;
  /** The certificate, as DER, that Terraform will show; anybody else is cut off. */
  readonly clientCertificate: Buffer;
}

/**
 * An HTTP/2 server for Terraform alone.
 *
 * @param tls left out as Terraform asks for with TF_DISABLE_PLUGIN_TLS, and in reattach mode.
 * @param connected called for each new connection.
 */
export function createConnectionServer(
  tls: MutualTls | undefined,
  connected: (connection: Http2Connection) => void,
): Server {
  const begin = (socket: Socket) => {
    // Responses are already combined into one write.
    socket.setNoDelay();
    connected(new Http2Connection(socket));
  };
  return tls === undefined ? createServer(begin) : createSecure(tls, begin);
}

function createSecure(
  { certificate, clientCertificate }: MutualTls,
  begin: (socket: Socket) => void,
): Server {
  const options = {
    key: certificate.key,
    cert: certificate.pem,
    minVersion: 'TLSv1.2' as const,
    ALPNProtocols: ['h2'],
    requestCert: true,
    // Terraform's certificate is compared byte by byte instead: no chain is built, no root store read.
    ca: [],
    rejectUnauthorized: false,
  };
  return createTlsServer(options, (socket: TLSSocket) => {
    const shown = socket.getPeerX509Certificate()?.raw;
    if (shown?.equals(clientCertificate)) begin(socket);
    else socket.destroy();
  });
}
