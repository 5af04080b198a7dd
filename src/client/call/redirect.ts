import { unescape } from 'node:querystring';
import { header, type ServerAnswer } from '../answer/answer';
import type { CallProblem } from '../errors/call-error';
import { SETTING } from '../options/client-options';

/**
 * The statuses of redirects that Vault's own client follows. Standbys redirect to the active node.
 */
const REDIRECTS: readonly number[] = [301, 302, 307];

export function isRedirect(answer: ServerAnswer): boolean {
  return REDIRECTS.includes(answer.status);
}

/**
 * Returns the target of a redirect, or the reason why it is not followed. The call is sent to the
 * target with the same method, body and token. Standbys redirect to the active node at its own
 * address, so another host is allowed; the redirecting server has already received the token. A
 * redirect from TLS to plain HTTP is refused. So is one to another path: a server answers a path
 * outside of its API as it does a missing object.
 *
 * @param path the path of the call below the address.
 */
export function redirectTarget(answer: ServerAnswer, from: URL, path: string): URL | CallProblem {
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
  // Servers and proxies encode other characters than the client.
  if (!unescape(target.pathname).endsWith(unescape(path))) {
    return refused(
      answer,
      `a redirect to another path, ${harmless}`,
      `Correct the proxies in between, or set the ${SETTING.address} to the active node`,
    );
  }
  return target;
}

export function redirectedAgain(answer: ServerAnswer): CallProblem {
  return refused(
    answer,
    'another redirect',
    `Only one is followed: check each server's api_addr, or set the ${SETTING.address} to the active node`,
  );
}

export function redirectedElsewhere(answer: ServerAnswer, { origin }: URL): CallProblem {
  return refused(
    answer,
    `a redirect to another cluster, ${origin} (cluster_id in sys/health)`,
    "Correct the api_addr of the cluster's nodes",
  );
}

export function redirectsDisabled(answer: ServerAnswer): CallProblem {
  return refused(
    answer,
    `a redirect, and ${SETTING.disableRedirects} forbids to follow it`,
    `Set the ${SETTING.address} to the active node`,
  );
}

function refused(answer: ServerAnswer, what: string, cure: string): CallProblem {
  return {
    code: 'redirect_refused',
    what: `the server answered ${answer.status} with ${what}`,
    cure,
    status: answer.status,
    withoutEffect: true,
  };
}
