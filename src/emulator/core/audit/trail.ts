import { LogicalError, codedError } from '../errors';
import type { Reply } from '../call';
import type { AuditDevices } from './devices';
import { type AuditedCall, type EntryFor, requestEntry, responseEntry } from './entries';

/**
 * Writes the audit entries of one call: one before it is handled, and one before the response is
 * sent.
 */
export class AuditTrail {
  readonly #devices: AuditDevices;
  #audited: AuditedCall;
  #hasRequest = false;

  constructor(devices: AuditDevices, audited: AuditedCall) {
    this.#devices = devices;
    this.#audited = audited;
  }

  /** @throws LogicalError 500 if no device can write: the request must not be handled. */
  request(operation: AuditedCall['operation']): void {
    this.#audited = { ...this.#audited, operation };
    this.#hasRequest = true;
    this.#log(() => requestEntry(this.#audited), codedError);
  }

  /**
   * @returns the reply.
   * @throws LogicalError 500 if no device can write: the response must not be sent.
   */
  response(reply: Reply): Reply {
    const { response } = reply;
    this.#log(() => responseEntry(this.#audited, response === undefined ? {} : { response }), plainError);
    return reply;
  }

  /** @throws the error; or LogicalError 500 if no device can write. */
  refusal(error: unknown): never {
    if (error instanceof AuditError || !(error instanceof LogicalError)) throw error;
    if (!this.#hasRequest) this.#log(() => requestEntry(this.#audited, error), codedError);
    // A missing object is recorded like a successful response.
    const outcome = error.status === 404 && error.message === '' ? {} : { error };
    this.#log(() => responseEntry(this.#audited, outcome), plainError);
    throw error;
  }

  #log(entry: () => EntryFor, refusal: (status: number, text: string) => LogicalError): void {
    if (!this.#devices.isEnabled || this.#devices.log(entry())) return;
    throw new AuditError(refusal(500, 'internal error'));
  }
}

/** The refusal of a request that could not be audited. No entry is written for it. */
class AuditError extends LogicalError {
  constructor({ status, message, collected }: LogicalError) {
    super(status, message, { collected });
  }
}

function plainError(status: number, text: string): LogicalError {
  return new LogicalError(status, text);
}
