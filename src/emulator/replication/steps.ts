/**
 * The steps at which a crash of a cluster can be requested. Each is reached after its effect is
 * stored, and before anything that follows, such as the answer.
 */
export const CRASH_STEPS = {
  'primary-enabled': 'The cluster is a primary.',
  'primary-demoted': 'The primary is a secondary without a primary.',
  'primary-disabled': 'The primary has no replication any more.',
  'token-issued': 'The primary knows the id of the activation token.',
  'secondary-revoked': 'The id is revoked, the secondary disconnected.',
  'filter-written': 'The paths filter is stored.',
  'filter-deleted': 'The paths filter is gone.',
  'key-generated': 'The private half of the public key is stored.',
  'token-unwrapped': 'The activation token is used up; the secondary has stored nothing of it.',
  'secondary-enabled': 'The cluster is a secondary; its data is not cleared yet.',
  'storage-wiped': "The secondary's data is cleared; nothing of the primary's is there.",
  'merkle-diffed': "The secondary knows what differs from the primary's data.",
  'half-synced': 'Half of what differs is copied.',
  'merkle-synced': 'All is copied; the secondary does not follow the log yet.',
  'secondary-promoted': 'The secondary is a primary.',
  'secondary-disabled': 'The secondary has no replication any more.',
  'primary-updated': 'The secondary knows its new primary; it has not connected yet.',
} as const;

export type CrashStep = keyof typeof CRASH_STEPS;

/**
 * Returns a step by its name.
 *
 * @throws RangeError if the step does not exist.
 */
export function crashStep(text: string): CrashStep {
  if (isCrashStep(text)) return text;
  throw new RangeError(`step "${text}" is unknown; allowed are ${Object.keys(CRASH_STEPS).join(', ')}`);
}

function isCrashStep(text: string): text is CrashStep {
  return Object.hasOwn(CRASH_STEPS, text);
}

/** Stops the operations of a crashed cluster. Their callers receive no answer. */
export class Crashed extends Error {
  constructor(cluster: string) {
    super(`cluster ${cluster} crashed`);
    this.name = 'Crashed';
  }
}
