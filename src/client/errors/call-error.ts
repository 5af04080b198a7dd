import { visible, type Redactor } from '../../text';
import type { Call } from '../call-options';
import { USUAL_PREFIX } from '../options/client-options';
import type { Settings } from '../options/settings';
import { redactorOf, redactPath } from './redact';
import { VaultError, type VaultErrorCode } from '../vault-error';

/**
 * The error that a call ends with, free of the token and of what was sent.
 *
 * @param problems of every try of it, in order; at least one.
 */
export function callError(
  call: Call,
  settings: Settings,
  problems: readonly [...Problem[], Problem],
): VaultError {
  const problem = problems[problems.length - 1]!;
  const attempts = problems.length;
  const { address, namespace } = settings;
  const path = redactPath(call.path, settings);
  const redactor = redactorOf(call, settings);
  const what = redactor.hide(problem.what);
  const where = `${path} on ${address}${namespace ? ` in namespace ${JSON.stringify(namespace)}` : ''}`;
  const tries = attempts > 1 ? `, tried ${attempts} times` : '';
  return new VaultError({
    code: problem.code,
    message: visible(`cannot ${call.verb} ${where}: ${what}${tries}. ${cureFor(problem, settings)}.`),
    status: problem.status,
    errors: problem.texts,
    method: call.method,
    path,
    namespace,
    address,
    attempts,
    mayHaveTakenEffect: problems.some(mayHaveTakenEffect),
    cause: problem.cause && causeError(problem.cause, redactor),
  });
}

function causeError({ message, ...rest }: Required<Problem>['cause'], redactor: Redactor): Error {
  return Object.assign(new Error(visible(redactor.hide(message))), rest);
}

/** What to do, with the variables that count for this client. */
function cureFor({ cure }: Problem, { variablePrefix }: Settings): string {
  return cure
    .replaceAll(`, ${USUAL_PREFIX}`, `, ${variablePrefix}`)
    .replaceAll(`(${USUAL_PREFIX}`, `(${variablePrefix}`);
}

/** A server that refuses a request does nothing; one that fails, or does not answer, may have done it. */
function mayHaveTakenEffect({ withoutEffect, status }: Problem): boolean {
  return !withoutEffect && (status === undefined || status >= 500);
}

/** Why one try of a call failed, before it is decided whether to try again. */
export interface Problem {
  readonly code: VaultErrorCode;
  /** What happened, to be read after the call: `the server answered 403 (permission denied)`. */
  readonly what: string;
  /** What to do: whole sentences, without the last full stop. */
  readonly cure: string;
  readonly status?: number;
  /** The server's texts. */
  readonly texts?: readonly string[];
  /** The server's `Retry-After`, as it came. */
  readonly retryAfter?: string;
  /** Whether the server certainly did nothing, so that even a write can be retried. */
  readonly withoutEffect: boolean;
  /** What the network said. It may repeat texts of the server, such as the host of a redirect. */
  readonly cause?: { readonly name: string; readonly code: string; readonly message: string };
}
