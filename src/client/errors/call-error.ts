import type { Call } from '../call/call';
import type { Settings } from '../options/settings';
import type { Problem } from './problem';
import { redact, textsWithin } from './redact';
import { VaultError } from './vault-error';

/** Servers make longer ones. Those of development servers, such as `root`, are no secrets but words of messages. */
const SHORTEST_TOKEN = 8;

/** The error that a call ends with, free of the token and of what was sent. */
export function callError(
  call: Call,
  { address, namespace, token = '' }: Settings,
  problem: Problem,
  attempts: number,
): VaultError {
  const tokens = token.length < SHORTEST_TOKEN ? [] : [token];
  const secrets = [...tokens, ...(call.publicBody ? [] : textsWithin(call.body))];
  const path = redact(call.path, tokens);
  const where = `${path} on ${address}${namespace ? ` in namespace ${JSON.stringify(namespace)}` : ''}`;
  const tries = attempts > 1 ? `, tried ${attempts} times` : '';
  return new VaultError({
    code: problem.code,
    message: `cannot ${call.verb} ${where}: ${redact(problem.what, secrets)}${tries}. ${problem.cure}.`,
    status: problem.status,
    errors: problem.texts?.map((text) => redact(text, secrets)),
    method: call.method,
    path,
    namespace,
    address,
    attempts,
    cause: problem.cause,
  });
}
