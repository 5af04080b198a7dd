/** Policies cannot be tested: they were not found, do not parse, or are not known yet. */
export class PolicySourceError extends Error {
  override readonly name = 'PolicySourceError';
}
