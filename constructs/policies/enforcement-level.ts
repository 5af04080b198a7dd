/** How firmly an RGP or EGP policy is enforced. Interface section 2.2. */
export enum EnforcementLevel {
  /** A failure is logged, nothing else. */
  ADVISORY = 'advisory',
  /** A failure refuses the request, unless the request asks to override it and may. */
  SOFT_MANDATORY = 'soft-mandatory',
  /** A failure refuses the request. */
  HARD_MANDATORY = 'hard-mandatory',
}
