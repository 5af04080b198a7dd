/**
 * Returns advice for a diagnostic as a line of its own, for the refusals of the protocol itself.
 */
export function advice(cure: string): string {
  return `To do: ${cure}${/[.?]$/.test(cure) ? '' : '.'}`;
}
