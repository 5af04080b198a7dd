import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';

/** Signs who a job is, as the pipelines' services do. */
export interface IdentityProvider {
  /** The key with which a server checks identities, in PEM. */
  readonly publicKey: string;
  /** Every identity that was handed out. */
  readonly issued: readonly string[];
  issue(claims: Readonly<Record<string, string>>): Promise<string>;
  /** Where a job on GitHub's runners asks for its own, and the secret that permits it. */
  serve(
    claims: Readonly<Record<string, string>>,
  ): Promise<{ env: Readonly<Record<string, string>>; close(): Promise<void> }>;
}

export function startIdentityProvider(): IdentityProvider {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issued: string[] = [];

  async function issue(claims: Readonly<Record<string, string>>): Promise<string> {
    const identity = await new SignJWT({ ...claims, sub: 'a job', aud: 'vault' })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey);
    issued.push(identity);
    return identity;
  }

  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    issued,
    issue,
    async serve(claims) {
      const secret = 'canary-request-token';
      const server = createServer((request, response) => {
        const asked = new URL(request.url ?? '/', 'http://identities').searchParams.get('audience');
        if (request.headers.authorization !== `bearer ${secret}` || asked !== 'vault') {
          return void response.writeHead(401).end();
        }
        void issue(claims).then((value) => response.end(JSON.stringify({ value })));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      return {
        env: {
          ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/?api-version=2.0`,
          ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret,
        },
        close: () =>
          new Promise((resolve) => {
            server.closeAllConnections();
            server.close(() => resolve());
          }),
      };
    },
  };
}
