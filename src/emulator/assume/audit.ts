import { refusal, type Assumption } from './assumption';

/** The behavior of audit devices that public sources leave open. */
export const AUDIT_ASSUMPTIONS = {
  auditUnwritable: refusal(
    'The refusal of an audit device that cannot write.',
    'with a text that names the path and the reason.',
    (path: string, reason: string) => `sanity check failed; unable to open "${path}" for writing: ${reason}`,
  ),
} as const satisfies Readonly<Record<string, Assumption>>;
