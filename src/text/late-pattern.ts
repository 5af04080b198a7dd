/**
 * Returns a function that returns a regular expression, created by its first call. It is for
 * patterns with Unicode properties: JavaScript engines need up to a millisecond of each start to
 * read such a literal, even in code that does not run.
 */
export function latePattern(source: string, flags: string): () => RegExp {
  let pattern: RegExp | undefined;
  // eslint-disable-next-line no-restricted-syntax -- all callers give a text that stands in the sources
  return () => (pattern ??= new RegExp(source, flags));
}
