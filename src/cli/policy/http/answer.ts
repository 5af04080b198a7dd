import type { HttpResponse } from '../../../sentinel';

/** The answer of the process that sends a request. */
export type SenderAnswer = HttpResponse | { readonly failure: string };

/** Seconds to wait before a retry, counted from 0. */
export function delayBefore(retry: number): number {
  return Math.min(2 ** retry, 30);
}
