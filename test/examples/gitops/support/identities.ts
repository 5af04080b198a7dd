import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';

/** Issues identity tokens for jobs, as GitHub and GitLab do. */
export interface IdentityProvider {
  /** The public key with which a server checks identity tokens, in PEM. */
  readonly publicKey: string;
  /** All issued identity tokens. */
  readonly issued: readonly string[];
  issue(claims: Readonly<Record<string, string>>): Promise<string>;
  /**
   * Starts the server from which a job on GitHub's runners requests its identity token. Returns the
   * environment with its address and the secret for the request.
   */
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
