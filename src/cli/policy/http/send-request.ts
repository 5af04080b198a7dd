import { spawnSync } from 'node:child_process';
import { HttpFailure, type HttpRequest, type HttpResponse } from '../../../sentinel';
import { delayBefore, type SenderAnswer } from './answer';
import { senderCommand } from './sender-command';

/** The additional seconds for the start and the end of the process. */
const MARGIN = 10;

/**
 * Sends a request of a policy, and waits for the response. Another process sends it, because the
 * evaluation of a policy is synchronous.
 */
export function sendRequest(request: HttpRequest): HttpResponse {
  const [program, ...args] = senderCommand();
  const { stdout, error } = spawnSync(program, args, {
    input: JSON.stringify(request),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: 1000 * longest(request),
  });
  if (error) throw new HttpFailure(error.message);
  const answer = parseAnswer(stdout);
  if ('failure' in answer) throw new HttpFailure(answer.failure);
  return answer;
}

function parseAnswer(text: string): SenderAnswer {
  try {
    return JSON.parse(text) as SenderAnswer;
  } catch {
    return { failure: 'the process that sends it ended without an answer' };
  }
}

function longest({ timeout, retries }: HttpRequest): number {
  let seconds = MARGIN + timeout;
  for (let retry = 0; retry < retries; retry++) seconds += timeout + delayBefore(retry);
  return seconds;
}
