import type { UnchangedAnswer } from './wire';

/** Why nothing was seen. */
export interface Unseen {
  readonly unseen: string;
}

/** Why an answer shows nothing of what was asked for; `undefined` if it does. */
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

/** The failure of a preparation that a probe needs. */
export class Unable extends Error {
  override readonly name = 'Unable';

  constructor(readonly seen: Unseen) {
    super(seen.unseen);
  }
}

/** @throws Unable if the preparation did not succeed: nothing can be seen then. */
export async function prepared(asked: Promise<UnchangedAnswer>, what: string): Promise<UnchangedAnswer> {
  const answer = await asked;
  if (answer.status < 300) return answer;
  const reason = unable(answer)?.unseen ?? `the server answered ${answer.status}`;
  throw new Unable({ unseen: `${what}: ${reason}` });
}
