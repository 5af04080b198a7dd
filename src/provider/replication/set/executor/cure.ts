/** Separates the reason from what to do. */
const MARK = '\nTo do: ';

/** What to do if a message does not say it. */
export const FIX_AND_GO_ON = 'fix the cause and apply again, which continues from here.';

/** What a message says to do. `undefined` if it does not say. */
export function cureIn(detail: string): string | undefined {
  const reason = withoutCure(detail);
  return reason === detail ? undefined : detail.slice(reason.length + MARK.length);
}

/** The part of a message before what it says to do. */
export function withoutCure(detail: string): string {
  const at = detail.indexOf(MARK);
  return at < 0 ? detail : detail.slice(0, at);
}
