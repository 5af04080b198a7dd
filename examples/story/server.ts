import type { RunningCluster } from '../../src/emulator';
import { StoryError } from './steps';

/** The parts of the server's answers that stories use. */
export interface Answer {
  readonly data: Readonly<Record<string, unknown>>;
  readonly auth: { readonly client_token: string } | null;
}

export interface Request {
  readonly method?: 'GET' | 'PUT' | 'DELETE';
  readonly body?: unknown;
  /** Default: the cluster's root token. */
  readonly token?: string;
}

/**
 * Asks a cluster by plain HTTP, as anybody could.
 *
 * @returns nothing if the object does not exist, or has no content.
 * @throws StoryError for any other refusal.
 */
export async function ask(
  cluster: RunningCluster,
  path: string,
  { method = 'GET', body, token = cluster.rootToken }: Request = {},
): Promise<Answer | undefined> {
  const response = await fetch(`${cluster.address}/v1/${path}`, {
    method,
    headers: { 'X-Vault-Token': token },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.status === 204 || response.status === 404) return undefined;
  if (!response.ok) throw new StoryError(`${path} on ${cluster.name} answered ${response.status}`);
  return (await response.json()) as Answer;
}
