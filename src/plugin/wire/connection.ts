import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type PeerCertificate, type TLSSocket } from 'node:tls';
import type { Certificate } from '../../certificates';
import { Http2Connection } from './http2';

/** The certificates with which Terraform and the plugin authenticate each other. */
export interface MutualTls {
  /** The plugin's certificate, which Terraform receives in the handshake. */
  readonly certificate: Certificate;
  /** Terraform's certificate; connections with another one are closed. */
  readonly clientCertificate: Pick<Certificate, 'pem' | 'der'>;
}

/**
 * Creates an HTTP/2 server that only Terraform can use.
 *
 * @param tls left out if TF_DISABLE_PLUGIN_TLS is set, and in reattach mode.
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
    // The certificate is compared byte by byte below. Without this option, both runtimes read many
    // authorities. So does Node.js for any certificate here, and that of executables for an empty
    // list.
    ca: process.versions.bun === undefined ? [] : clientCertificate.pem,
    rejectUnauthorized: false,
  };
  return createTlsServer(options, (socket: TLSSocket) => {
    // The executable's runtime takes a millisecond longer for `getPeerX509Certificate`.
    const { raw: shown }: Partial<PeerCertificate> = socket.getPeerCertificate();
    if (shown?.equals(clientCertificate.der)) begin(socket);
    else socket.destroy();
  });
}
