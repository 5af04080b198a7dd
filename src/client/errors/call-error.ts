import type { Call } from '../call/call';
import type { Settings } from '../options/settings';
import type { Problem } from './problem';
import { isSecretToken, redact, textsWithin } from './redact';
import { VaultError } from './vault-error';

/**
 * The error that a call ends with, free of the token and of what was sent.
 *
 * @param problems of every try of it, in order; at least one.
 */
export function callError(
  call: Call,
  { address, namespace, token = '' }: Settings,
  problems: readonly [...Problem[], Problem],
): VaultError {
  const problem = problems[problems.length - 1]!;
  const attempts = problems.length;
  const tokens = isSecretToken(token) ? [token] : [];
  const secrets = [...tokens, ...(call.secrets ?? (call.publicBody ? [] : textsWithin(call.body)))];
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
    mayHaveTakenEffect: problems.some(mayHaveTakenEffect),
    cause: problem.cause,
  });
}

/** A server that refuses a request does nothing; one that fails, or does not answer, may have done it. */
function mayHaveTakenEffect({ withoutEffect, status }: Problem): boolean {
  return !withoutEffect && (status === undefined || status >= 500);
}
