import type { UnchangedAnswer } from './wire';

/** The reason why an assumption could not be examined. */
export interface Unseen {
  readonly unseen: string;
}

/**
 * Returns the reason why an answer shows nothing about an assumption; `undefined` if it may show
 * something.
 */
export function unable({ status, errors }: UnchangedAnswer): Unseen | undefined {
  const [text = ''] = errors;
  if (status === 403) return { unseen: 'the token is not allowed to do this' };
  if (status === 405 || (status === 404 && (text === '' || /unsupported path|no handler/.test(text)))) {
    return { unseen: 'the server does not offer this call' };
  }
  if ([412, 429, 472, 473, 502, 503, 504].includes(status)) {
    return { unseen: `the server answered ${status}` };
  }
  return undefined;
}

/** The error for a failed preparation of a probe. */
export class Unable extends Error {
  override readonly name = 'Unable';

  constructor(readonly seen: Unseen) {
    super(seen.unseen);
  }
}

/** @throws Unable if the preparation failed, so that nothing can be seen. */
export async function prepared(asked: Promise<UnchangedAnswer>, what: string): Promise<UnchangedAnswer> {
  const answer = await asked;
  if (answer.status < 300) return answer;
  const reason = unable(answer)?.unseen ?? `the server answered ${answer.status}`;
  throw new Unable({ unseen: `${what}: ${reason}` });
}
