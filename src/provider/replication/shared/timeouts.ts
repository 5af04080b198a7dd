import { DurationError, formatDuration, parseDuration } from '../../../model';
import { isKnown, singleNested, string, type Diagnostics, type Unknown } from '../../../plugin';

/** What can be waited for, and how many seconds unless told otherwise. */
export type DefaultTimeouts = Readonly<Record<string, number>>;

/** The attribute `timeouts` of a resource: how long each of its operations waits for a cluster. */
export function timeoutsAttribute<D extends DefaultTimeouts>(defaults: D) {
  const attributes = Object.fromEntries(
    Object.entries(defaults).map(([operation, seconds]) => [
      operation,
      string({
        optional: true,
        description:
          `How long ${operation} waits for the cluster: seconds, or text such as \`10m\`. ` +
          `Default: \`${formatDuration(seconds)}\`.`,
      }),
    ]),
  ) as { readonly [K in keyof D]: ReturnType<typeof string<false>> };
  return singleNested(attributes, {
    optional: true,
    description: 'How long to wait for the cluster. What was done stays done when the time is over.',
  });
}

type Timeouts = Readonly<Record<string, string | Unknown | null>>;

/** Tells which of the timeouts given are none. */
export function reportTimeouts(
  title: string,
  timeouts: Timeouts | Unknown | null,
  diagnostics: Diagnostics,
): void {
  if (!isKnown(timeouts)) return;
  for (const [operation, given] of Object.entries(timeouts ?? {})) {
    if (!isKnown(given) || given === null || secondsIn(given) !== undefined) continue;
    diagnostics.error(
      `${title}: timeouts.${operation} is not a time to wait`,
      `Received: ${JSON.stringify(given)}.\nAllowed: more than 0: seconds, or text such as "90s" and "10m".\n` +
        'To do: correct it, or leave it out.',
      ['timeouts', operation],
    );
  }
}

/** Seconds that an operation waits. */
export function timeoutOf<D extends DefaultTimeouts>(
  operation: keyof D & string,
  timeouts: Readonly<Record<string, string | null>> | null,
  defaults: D,
): number {
  const given = timeouts?.[operation] ?? null;
  return (given === null ? undefined : secondsIn(given)) ?? defaults[operation]!;
}

function secondsIn(text: string): number | undefined {
  try {
    const seconds = parseDuration(text);
    return seconds > 0 ? seconds : undefined;
  } catch (error) {
    if (error instanceof DurationError) return undefined;
    throw error;
  }
}
