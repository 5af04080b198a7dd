/** Sends the request in its standard input, and prints the answer: see send-request.ts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, interceptors, request as send } from 'undici';
import type { HttpRequest, HttpResponse } from '../../../sentinel';
import { delayBefore, type SenderAnswer } from './answer';

const MOST_REDIRECTS = 10;
/** The maximum size in bytes. */
const LARGEST_RESPONSE = 10 * 1024 * 1024;

async function answerTo(request: HttpRequest): Promise<SenderAnswer> {
  for (let retry = 0; ; retry++) {
    const answer = await attempt(request);
    if (retry >= request.retries || !isWorthRetrying(answer)) return answer;
    await wait(1000 * delayBefore(retry));
  }
}

async function attempt(request: HttpRequest): Promise<HttpResponse | Failure> {
  const { method, url, headers, body, timeout, verifiesCertificates } = request;
  const agent = new Agent({
    connect: { rejectUnauthorized: verifiesCertificates },
    maxResponseSize: LARGEST_RESPONSE,
  }).compose(interceptors.redirect({ maxRedirections: MOST_REDIRECTS }));
  try {
    const response = await send(url, {
      method,
      headers: { accept: '*/*', ...headers },
      ...(method === 'POST' && { body }),
      dispatcher: agent,
      signal: AbortSignal.timeout(1000 * timeout),
    });
    const entries = Object.entries(response.headers).map(([name, value]) => [
      name,
      [value].flat().join(', '),
    ]);
    return {
      status: response.statusCode,
      headers: Object.fromEntries(entries) as Record<string, string>,
      body: await response.body.text(),
    };
  } catch (error) {
    const { name, message } = error as Error;
    const isTimeout = name === 'TimeoutError';
    return { failure: isTimeout ? `no response within ${timeout} seconds` : message, isTimeout };
  } finally {
    await agent.destroy();
  }
}

interface Failure {
  readonly failure: string;
  readonly isTimeout: boolean;
}

/**
 * Whether a retry may succeed. After 501 it cannot, because the server does not support the
 * request.
 */
function isWorthRetrying(answer: HttpResponse | Failure): boolean {
  if ('failure' in answer) return answer.isTimeout;
  return answer.status >= 500 && answer.status !== 501;
}

void answerTo(JSON.parse(readFileSync(0, 'utf8')) as HttpRequest).then((answer) => {
  writeFileSync(1, JSON.stringify(answer));
});
