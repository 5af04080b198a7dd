import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receives comments on reviews, as the APIs of GitHub and GitLab do. */
export interface Reviews {
  /** The environment of a job on a runner of either service. */
  readonly env: Readonly<Record<string, string>>;
  /** The token with which a job may comment. */
  readonly token: string;
  /** The received comments, each with the path of its request. */
  readonly comments: readonly (readonly [path: string, body: string])[];
  close(): Promise<void>;
}

export async function startReviews(): Promise<Reviews> {
  const token = 'canary-review-token';
  const comments: (readonly [string, string])[] = [];
  const server = createServer((request, response) => {
    const { authorization, 'private-token': own } = request.headers;
    if (authorization !== `Bearer ${token}` && own !== token) return void response.writeHead(401).end();
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      comments.push([request.url ?? '', (JSON.parse(text) as { body: string }).body]);
      response.writeHead(201).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: {
      GITHUB_API_URL: api,
      GITHUB_REPOSITORY: 'example/estate',
      CI_API_V4_URL: api,
      CI_PROJECT_ID: '7',
      CI_MERGE_REQUEST_IID: '3',
    },
    token,
    comments,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
