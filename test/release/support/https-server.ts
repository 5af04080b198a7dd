/** A web server with TLS on loopback, and the certificate of its authority. */
import { createReadStream, existsSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { ipAddress, issueCertificate } from '../../../src/certificates';

export interface HttpsServer {
  /** The host and port, such as `localhost:40123`. */
  readonly host: string;
  /** The requested paths. */
  readonly paths: readonly string[];
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** @param authority the file for the certificate of the authority, for `SSL_CERT_FILE` */
export async function startHttps(authority: string, answer: Answer): Promise<HttpsServer> {
  const validity = { validFrom: new Date('2020-01-01'), validTo: new Date('2049-01-01') };
  const issuer = issueCertificate({ ...validity, commonName: 'Test authority', authority: true });
  const { key, pem } = issueCertificate({
    ...validity,
    commonName: 'localhost',
    uses: ['server'],
    names: [{ dns: 'localhost' }, { ip: ipAddress('127.0.0.1') }],
    issuer,
  });
  writeFileSync(authority, issuer.pem);
  const paths: string[] = [];
  const server = createServer({ key, cert: pem }, (request, response) => {
    paths.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `localhost:${(server.address() as AddressInfo).port}`,
    paths,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with the files of a folder, like any web server. */
export function filesOf(folder: string): Answer {
  return ({ url = '' }, response) => sendFile(join(folder, normalize(url)), response);
}

/** Sends a file, or 404. */
export function sendFile(file: string, response: ServerResponse, type = typeOf(file)): void {
  if (!existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': type, 'content-length': statSync(file).size });
  createReadStream(file).pipe(response);
}

function typeOf(file: string): string {
  return file.endsWith('.zip') || file.endsWith('.sig') ? 'application/octet-stream' : 'application/json';
}
