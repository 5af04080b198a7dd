import { header, type Answer } from '../answer/answer';
import type { Problem } from '../errors/call-error';
import { SETTING } from '../options/client-options';

/** What is followed, once and no further, is what the product's own client follows: a standby names the active node. */
const REDIRECTS: readonly number[] = [301, 302, 307];

export function isRedirect(answer: Answer): boolean {
  return REDIRECTS.includes(answer.status);
}

/**
 * Where a redirect leads, or why it is not followed. The call goes there as it is: method, body and token. A
 * standby sends clients to the active node by its own address, so another host is nothing unusual; and the
 * server that sends us there has seen the token already. What is never done is to leave TLS.
 */
export function redirectTarget(answer: Answer, from: URL): URL | Problem {
  const location = header(answer, 'location') ?? '';
  if (location === '' || !URL.canParse(location, from.href)) {
    return refused(
      answer,
      'a redirect to nowhere',
      "Check the server's api_addr, and the proxies in between",
    );
  }
  const target = new URL(location, from);
  const harmless = `${target.origin}${target.pathname}`;
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    return refused(answer, `a redirect from TLS to plain HTTP, ${harmless}`, "Correct the server's api_addr");
  }
  if (!/^https?:$/.test(target.protocol) || target.username || target.password) {
    return refused(answer, 'a redirect to an address that is not valid', "Correct the server's api_addr");
  }
  return target;
}

export function redirectedAgain(answer: Answer): Problem {
  return refused(
    answer,
    'another redirect',
    `Only one is followed: check each server's api_addr, or set the ${SETTING.address} to the active node`,
  );
}

export function redirectsDisabled(answer: Answer): Problem {
  return refused(
    answer,
    `a redirect, and ${SETTING.disableRedirects} forbids to follow it`,
    `Set the ${SETTING.address} to the active node`,
  );
}

function refused(answer: Answer, what: string, cure: string): Problem {
  return {
    code: 'redirect_refused',
    what: `the server answered ${answer.status} with ${what}`,
    cure,
    status: answer.status,
    withoutEffect: true,
  };
}
