import { refusal, type Assumption } from './assumption';

/** What public sources leave open about audit devices. */
export const AUDIT_ASSUMPTIONS = {
  auditUnwritable: refusal(
    'The refusal of an audit device that cannot write.',
    'with a text that names the path and the reason.',
    (path: string, reason: string) => `sanity check failed; unable to open "${path}" for writing: ${reason}`,
  ),
} as const satisfies Readonly<Record<string, Assumption>>;
