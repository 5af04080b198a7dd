import type { HttpResponse } from '../../../sentinel';

/** The answer of the process that sends a request. */
export type SenderAnswer = HttpResponse | { readonly failure: string };

/** Returns the seconds to wait before a retry. Retries are counted from 0. */
export function delayBefore(retry: number): number {
  return Math.min(2 ** retry, 30);
}
