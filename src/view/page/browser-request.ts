/**
 * Checks of the headers that browsers send, to keep pages of other sites away from servers on this
 * machine.
 */

/** The headers by which browsers report the origin of a request. */
export interface Provenance {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: unknown;
}

/** Values of `Sec-Fetch-Site` for requests that do not come from another site. */
const OWN_SITES: readonly unknown[] = [undefined, 'same-origin', 'none'];

/** Returns the name in a `Host` header, in lower case and without the dot of the DNS root. */
export function hostName(host: string): string {
  return tidyName(host.replace(/:\d*$/, ''));
}

export function tidyName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** Whether the request is from a page of another origin. */
export function isOfOtherOrigin({ host, origin, 'sec-fetch-site': site }: Provenance): boolean {
  return (origin !== undefined && !isSameOrigin(origin, host)) || !OWN_SITES.includes(site);
}

function isSameOrigin(origin: string, host: string | undefined): boolean {
  return host !== undefined && origin.toLowerCase().replace(/^https?:\/\//, '') === host.toLowerCase();
}
