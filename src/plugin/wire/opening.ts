import type { Server } from 'node:net';
import type { OpenServer } from './listen';

/** Returns a function that opens the server. */
export function opening(server: Server): OpenServer {
  return (at) =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(at, () => {
        server.off('error', reject);
        const address = server.address();
        resolve(typeof address === 'object' ? address?.port : undefined);
      });
    });
}
