import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isThisMachine } from '../../model/clusters';
import { visible } from '../../text';
import { hostName, isOfOtherOrigin, type Provenance, tidyName } from '../../view/page/browser-request';
import { type HttpAnswer, errorAnswer } from '../core/request/answer';

/** The maximum number of characters of a header that a refusal repeats. */
const LONGEST_SHOWN = 100;

/**
 * Refuses requests that web pages in a browser on this machine make: to a host name of the page's
 * own site (DNS rebinding), or from another origin.
 */
export class BrowserGuard {
  readonly #allowedHosts: ReadonlySet<string>;
  readonly #allowsAddresses: boolean;

  /**
   * @param allowedHosts host names of the emulator, besides those of the loopback interface.
   * @param allowsAddresses whether any IP address is allowed: only names can be resolved to other
   *   addresses.
   */
  constructor(allowedHosts: readonly string[] = [], allowsAddresses = false) {
    this.#allowedHosts = new Set(allowedHosts.map(tidyName));
    this.#allowsAddresses = allowsAddresses;
  }

  /** Returns the refusal of a request that another site may have made. */
  refusalOf({
    headers,
    headersDistinct,
  }: Pick<IncomingMessage, 'headers' | 'headersDistinct'>): HttpAnswer | undefined {
    const { host, origin }: Provenance = headers;
    if ((headersDistinct.host?.length ?? 0) > 1) {
      return errorAnswer(400, 'the request has several Host headers; send one');
    }
    if (host !== undefined && !this.#isAllowed(host)) {
      const name = shown(host);
      return errorAnswer(
        403,
        `the host "${name}" is not allowed; allowed: localhost, loopback addresses and names given by --allow-host; ` +
          'use one of these in the address, or start the emulator with --allow-host',
      );
    }
    if (isOfOtherOrigin(headers)) {
      return errorAnswer(
        403,
        `a page of another origin${origin === undefined ? '' : `, "${shown(origin)}",`} may not use the emulator; ` +
          'send requests from a program instead',
      );
    }
    return undefined;
  }

  #isAllowed(host: string): boolean {
    const name = hostName(host);
    if (this.#allowsAddresses && isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return true;
    return isThisMachine(name) || this.#allowedHosts.has(name);
  }
}

function shown(header: string): string {
  return visible(header.slice(0, LONGEST_SHOWN));
}
