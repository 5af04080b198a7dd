import type { Http2SecureServer, Http2Server, Http2Session } from 'node:http2';

/** How long to wait for Terraform to connect, and to come back after the last connection closed, in milliseconds. */
const PATIENCE = { first: 60_000, next: 3_000 };

/**
 * Ends this process when Terraform is gone, even if it could not say so.
 *
 * @param cleanUp awaited before the end, whatever its cause.
 * @returns what ends the process.
 */
export function endWithTerraform(server: Http2Server | Http2SecureServer, cleanUp: () => Promise<void>) {
  let ending = false;
  const end = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    await cleanUp();
    process.exit(0);
  };

  // Ctrl-C reaches all processes of a terminal: it is Terraform that decides what it means, and sends StopProvider.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => void end());
  process.on('SIGHUP', () => void end());

  let connections = 0;
  let waiting = setTimeout(() => void end(), PATIENCE.first);
  server.on('session', (session: Http2Session) => {
    connections += 1;
    clearTimeout(waiting);
    session.on('close', () => {
      connections -= 1;
      if (connections === 0) waiting = setTimeout(() => void end(), PATIENCE.next);
    });
  });
  return end;
}
