/** What a message says is to be done: its last part, which may be followed by what was reached. */
const MARK = '\nTo do: ';

/** What is to be done, according to a message; `undefined` if it does not say. */
export function cureIn(detail: string): string | undefined {
  const at = detail.indexOf(MARK);
  return at < 0 ? undefined : detail.slice(at + MARK.length);
}

/** A message up to what is to be done. */
export function withoutCure(detail: string): string {
  const at = detail.indexOf(MARK);
  return at < 0 ? detail : detail.slice(0, at);
}
