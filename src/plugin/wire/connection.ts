import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type PeerCertificate, type TLSSocket } from 'node:tls';
import type { Certificate } from '../../certificates';

/** The certificates with which Terraform and the plugin authenticate each other. */
export interface MutualTls {
  /** The plugin's certificate, which Terraform receives in the handshake. */
  readonly certificate: Certificate;
  /** Terraform's certificate; connections with another one are closed. */
  readonly clientCertificate: Pick<Certificate, 'pem' | 'der'>;
}

/**
 * Creates a server of Node.js that only Terraform can use.
 *
 * @param tls left out if TF_DISABLE_PLUGIN_TLS is set, and in reattach mode.
 * @param accept called for each new connection.
 */
export function createConnectionServer(tls: MutualTls | undefined, accept: (socket: Socket) => void): Server {
  const begin = (socket: Socket) => {
    // Responses are already combined into one write.
    socket.setNoDelay();
    accept(socket);
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
    // The certificate is compared byte by byte below. Without this option, or if it named a
    // certificate, Node.js would read many authorities.
    ca: [],
    rejectUnauthorized: false,
  };
  return createTlsServer(options, (socket: TLSSocket) => {
    const { raw: shown }: Partial<PeerCertificate> = socket.getPeerCertificate();
    if (shown?.equals(clientCertificate.der)) begin(socket);
    else socket.destroy();
  });
}
