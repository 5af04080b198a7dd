import type { VaultClient, VaultResponse } from '../../client';
import { linesOf, literal, phrase, set, type Message } from '../../model/messages';
import { isOlder } from '../../model/versions';
import { DiagnosticError } from '../../plugin';
import { isRecord } from '../../text';
import { contentOf, MessageError } from '../messages';
import { onCluster, request, serverErrorOf, type RequestContext } from '../objects';
import { KV2_SECRETS_SINCE, RECOVERABLE_PATHS, type LoadedSubject } from './requirement';

/** The reason why a server has no secret at a path, and what to do. */
interface Reason {
  readonly summary: string;
  readonly details: string;
  readonly cures: NonNullable<Message['cures']>;
}

/**
 * Makes a request about a secret in a loaded snapshot. If the server does not support the path, or
 * finds nothing there, the error explains this for the secrets engine at that path.
 */
export async function requestSecret(
  verb: string,
  { subject, version }: LoadedSubject,
  path: string,
  context: RequestContext,
  call: (client: VaultClient) => Promise<VaultResponse | undefined>,
): Promise<VaultResponse> {
  let failure: unknown;
  try {
    const response = await request(verb, subject, context, call);
    if (response) return response;
  } catch (error) {
    failure = error;
  }
  const code = failure === undefined ? 'not_found' : serverErrorOf(failure)?.code;
  if (code !== 'not_found' && code !== 'unsupported_operation' && code !== 'unsupported_path') throw failure;

  const mount = await versionedMount(path, subject, context);
  const reason = mount === undefined ? undefined : reasonOfVersioned(mount, path, version);
  const { summary, details, cures } = reason ?? REASONS[code];
  const isMissing = code === 'not_found' && !reason;
  throw new MessageError(
    {
      path: ['path'],
      summary: isMissing
        ? `${onCluster(subject)} ${summary}`
        : `cannot ${verb} ${onCluster(subject)}: ${summary}`,
      details: [details, ...(failure instanceof DiagnosticError ? linesOf(contentOf(failure).details) : [])],
      cures,
    },
    { cause: failure },
  );
}

const RESTORE_ELSEWHERE = 'restore the snapshot on another cluster, and read the secret there';

const REASONS = {
  not_found: {
    summary: 'does not exist',
    details: 'The snapshot contains nothing at this path, or the mount has been disabled since then.',
    cures: 'check the path, or load an earlier snapshot',
  },
  unsupported_path: {
    summary: 'no secrets engine is mounted there',
    details: 'The path begins with that of a mount, which must still be the one in the snapshot.',
    cures: `check the path. Or, if the mount has been disabled since then, ${RESTORE_ELSEWHERE}`,
  },
  unsupported_operation: {
    summary: 'the server does not offer this path of snapshots',
    details: RECOVERABLE_PATHS,
    cures: `check the path: secrets of KV version 2 are below data/ of their mount. Or ${RESTORE_ELSEWHERE}`,
  },
} as const satisfies Record<string, Reason>;

/**
 * Returns the reason for KV version 2; `undefined` if the server's version and the path are right.
 */
function reasonOfVersioned(mount: string, path: string, version: string): Reason | undefined {
  const rest = path.slice(mount.length);
  const cure = rest.startsWith('data/') ? undefined : set('path', literal(`${mount}data/${rest}`));
  const details = `Mount "${mount}" is version 2 of the KV secrets engine, with its secrets below "${mount}data/".`;
  if (isOlder(version, KV2_SECRETS_SINCE)) {
    const upgrade = phrase`upgrade the cluster, or ${RESTORE_ELSEWHERE}`;
    return {
      summary: `the server must be Vault ${KV2_SECRETS_SINCE} or later`,
      details: `${details} The server has version ${JSON.stringify(version)}.`,
      cures: cure ? phrase`${cure}, and ${upgrade}` : upgrade,
    };
  }
  return cure && { summary: 'the path lacks "data/"', details, cures: cure };
}

/**
 * Returns the path of the mount of a secret, with a slash at its end; `undefined` if it is not
 * version 2 of the KV secrets engine, or if the token may not read that.
 */
async function versionedMount(
  path: string,
  { location, title }: LoadedSubject['subject'],
  context: RequestContext,
): Promise<string | undefined> {
  try {
    const client = await context.providerData.client(location, title, context);
    const { signal } = context;
    const { data } = (await client.read(`sys/internal/ui/mounts/${path}`, { signal })) ?? {};
    const isVersioned = data?.type === 'kv' && isRecord(data.options) && data.options.version === '2';
    return isVersioned && typeof data.path === 'string' && path.startsWith(data.path) ? data.path : undefined;
  } catch {
    return undefined;
  }
}
