/** A time in milliseconds since 1970 the way Go prints one: RFC 3339 without trailing zeros. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.?0*Z$/, 'Z');
}
