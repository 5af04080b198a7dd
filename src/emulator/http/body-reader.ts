import type { IncomingMessage } from 'node:http';
import { LONGEST_SNAPSHOT } from '../auto-snapshots';

/** Bodies up to this size are read without checking first whether the answer depends on them. */
const SHORT_BODY = 16 * 1024;
/** The server's default maximum for a body. */
const LONGEST_BODY = 32 * 1024 * 1024;
/**
 * The maximum number of bytes that are received and dropped after the answer. Clients that are
 * still sending can then read the answer.
 */
const MOST_DROPPED = 64 * 1024 * 1024;

/** The body of a request: text, or the bytes of an upload. */
export interface RequestBody {
  readonly body: string;
  readonly content?: Buffer;
}

/** The reason why a body was not read. `unneeded`: the answer does not depend on it. */
type Unread = 'unneeded' | 'too long';

interface Reading {
  /** Whether the request has a file instead of JSON. */
  readonly isUpload: boolean;
  /** Whether the answer can depend on the body. Called once, before a long body is read. */
  readonly isNeeded: () => boolean;
}

/** Whether a request has a body to wait for. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Reads a body, and calls back when it is complete. A long body is dropped as soon as it is known
 * that it is too long, or does not affect the answer.
 */
export function readBody(
  request: IncomingMessage,
  { isUpload, isNeeded }: Reading,
  then: (body: RequestBody | Unread) => void,
): void {
  const longest = isUpload ? LONGEST_SNAPSHOT : LONGEST_BODY;
  const announced = Number(request.headers['content-length'] ?? 0);
  let chunks: Buffer[] = [];
  let length = 0;
  let isJudged = false;
  let isDone = false;
  const finish = (unread: Unread) => {
    isDone = true;
    chunks = [];
    length = 0;
    then(unread);
  };
  const judge = (known: number) => {
    if (isDone || known <= SHORT_BODY) return;
    if (!isJudged && !isNeeded()) finish('unneeded');
    else if (known > longest) finish('too long');
    isJudged = true;
  };
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (!isDone) chunks.push(chunk);
    else if (length > MOST_DROPPED) request.socket.destroy();
    judge(length);
  });
  request.on('end', () => {
    if (isDone) return;
    isDone = true;
    const content = Buffer.concat(chunks);
    then(isUpload ? { body: '', content } : { body: content.toString() });
  });
  judge(announced);
}
