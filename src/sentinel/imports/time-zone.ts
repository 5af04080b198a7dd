/** Whether a name is that of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    formatIn(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the offset of a time zone from UTC, in seconds.
 *
 * @param zone the name of a time zone.
 * @param milliseconds the time, since 1970: the offset changes with the seasons.
 */
export function offsetOf(zone: string, milliseconds: number): number {
  const parts = formatIn(zone).formatToParts(milliseconds);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = OFFSET.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

/** The names of offsets: `GMT`, `GMT+05:30`. */
const OFFSET = /^GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/;

function formatIn(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
}
