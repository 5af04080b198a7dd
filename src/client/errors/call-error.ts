import { visible, type Redactor } from '../../text';
import type { ClientCall } from '../call-options';
import { withSettingNames } from '../options/client-options';
import type { Settings } from '../options/client-settings';
import { redactorOf, redactPath } from './redact';
import { VaultError, type VaultErrorCode } from '../vault-error';

/**
 * Returns the error of a failed call, without the token and the sent values.
 *
 * @param problems the problems of all attempts, in order; at least one.
 */
export function callError(
  call: ClientCall,
  settings: Settings,
  problems: readonly [...CallProblem[], CallProblem],
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
    message: visible(
      `cannot ${call.verb} ${where}: ${what}${tries}. ${withSettingNames(problem.cure, settings)}.`,
    ),
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

function causeError({ message, ...rest }: Required<CallProblem>['cause'], redactor: Redactor): Error {
  return Object.assign(new Error(visible(redactor.hide(message))), rest);
}

/**
 * Whether an attempt may have had an effect: a refusal has none, but a server that fails or does
 * not answer may have made the change.
 */
function mayHaveTakenEffect({ withoutEffect, status }: CallProblem): boolean {
  return !withoutEffect && (status === undefined || status >= 500);
}

/** The reason why an attempt of a call failed; whether to retry is decided afterwards. */
export interface CallProblem {
  readonly code: VaultErrorCode;
  /**
   * The failure as the second part of a sentence about the call: `the server answered 403
   * (permission denied)`.
   */
  readonly what: string;
  /** The advice: whole sentences, without the last full stop. */
  readonly cure: string;
  readonly status?: number;
  /** The error texts of the server. */
  readonly texts?: readonly string[];
  /** The unparsed `Retry-After` header of the server. */
  readonly retryAfter?: string;
  /** Whether the request certainly had no effect, so that even a write can be retried. */
  readonly withoutEffect: boolean;
  /**
   * The error of the network. It may repeat texts of the server, such as the host of a redirect.
   */
  readonly cause?: { readonly name: string; readonly code: string; readonly message: string };
}
