import { header, isList, type ServerAnswer } from '../answer/answer';
import { visibleLines, type Redactor } from '../../text';
import { stringifyJson } from '../answer/json';
import type { Data } from '../answer/responses';
import type { ClientCall } from '../call-options';
import { SETTING } from '../options/client-options';
import type { CallProblem } from './call-error';
import type { VaultErrorCode } from '../vault-error';

/** Matches the text in which a server names the Sentinel policy that refuses a call. */
const REFUSING_POLICY = /\b([er]gp) standard policy "([^"]+)" evaluation resulted in denial/i;

/** The maximum number of characters that are shown of an answer that is not the server's JSON. */
const EXCERPT = 200;
const MULTIERROR = /^\d+ errors? occurred:\s*/;
const BULLET = /\n[ \t]*\* /;
/** The maximum number of texts of an answer that are read, and of characters of all of them. */
const MAX_TEXTS = 100;
const MAX_TEXT = 16 * 1024;

/** The properties of a call that messages about its failure depend on. */
interface CallContext {
  readonly call: Pick<ClientCall, 'verb' | 'path'>;
  readonly hasToken: boolean;
  readonly namespace: string | undefined;
  /** Removes secrets from the server's texts before they are used. */
  readonly redactor: Redactor;
}

/** The advice for answers that are not from a Vault server. */
export const NOT_A_SERVER = `This is not an answer from a Vault server: check the ${SETTING.address} and any proxies in between`;

interface Reading {
  readonly code: VaultErrorCode;
  readonly cure: string;
  /** Whether the request certainly had no effect. */
  readonly withoutEffect?: boolean;
}

/** Returns the problem that an unsuccessful answer reports. */
export function problemOfAnswer(answer: ServerAnswer, context: CallContext): CallProblem {
  // A success that cannot be parsed may contain secrets, so none of it is shown.
  const texts = answer.status < 400 ? [] : serverTexts(answer, context.redactor);
  const shown = texts.length > 0 ? ` (${texts.map((text) => text.replace(/\s+/g, ' ')).join('; ')})` : '';
  const { code, cure, withoutEffect = false } = read(answer, texts.join('\n'), context);
  return {
    code,
    what: `the server answered ${answer.status}${shown}`,
    cure,
    status: answer.status,
    texts,
    retryAfter: header(answer, 'retry-after'),
    withoutEffect,
  };
}

function read(answer: ServerAnswer, text: string, context: CallContext): Reading {
  if (/HTTP request to an HTTPS server/.test(text)) {
    return { code: 'wrong_scheme', cure: `The server uses TLS: use an https:// ${SETTING.address}` };
  }
  // A Vault server refuses with a JSON object whose `errors` is a list, sometimes an empty one.
  // Other answers may be from a proxy, whose statuses have other meanings.
  const ofServer = isList(answer.payload?.errors) || answer.status >= 500 || answer.status === 429;
  if (!ofServer) return { code: 'unexpected_answer', cure: NOT_A_SERVER };
  const { status } = answer;
  if (/replication is still catching up/.test(text)) return CATCHING_UP;
  if (status === 400) return badRequest(text, context);
  if (status === 403) return forbidden(text, context);
  if (status === 404) return notFound(text, context);
  if (status === 500 || status === 503) return inTrouble(status, text);
  if (status > 500) return BY_STATUS[status] ?? SERVER_ERROR;
  return BY_STATUS[status] ?? { code: 'invalid_request', cure: 'The server refused the request' };
}

/**
 * Recognized by its text alone, because public sources do not show every status that it can have.
 */
const CATCHING_UP: Reading = {
  code: 'catching_up',
  cure: 'Wait until it has all data of its primary, or force the promotion and lose the missing data',
  withoutEffect: true,
};

const SERVER_ERROR: Reading = { code: 'server_error', cure: "See the server's log for details" };

/** Statuses that always have the same meaning, whatever the text is. */
const BY_STATUS: Readonly<Record<number, Reading>> = {
  405: { code: 'unsupported_operation', cure: 'The endpoint does not support this operation' },
  412: {
    code: 'state_not_present',
    cure: 'The node has not caught up with an earlier write: try again, or use the active node',
    withoutEffect: true,
  },
  413: { code: 'too_large', cure: 'The server limits the size of requests (32 MiB by default)' },
  423: { code: 'locked', cure: 'The user or the namespace is locked: wait, or unlock it' },
  429: {
    code: 'rate_limited',
    cure: 'A rate limit or a lease count quota is exceeded: reduce the parallelism, or raise the quota',
    withoutEffect: true,
  },
  501: { code: 'not_implemented', cure: 'The server is not initialized, or does not know the operation' },
};

function badRequest(text: string, context: CallContext): Reading {
  if (context.call.verb === 'log in at') return loginRefused(text);
  if (/missing client token/.test(text)) return noToken(context);
  if (/operation unavailable in namespaces/.test(text)) return unsupportedPath(context);
  return { code: 'invalid_request', cure: 'The server refused the input' };
}

function forbidden(text: string, context: CallContext): Reading {
  if (/namespaces feature not enabled/.test(text)) {
    return {
      code: 'namespaces_unsupported',
      cure: `This server has no namespaces: leave out the namespace ${JSON.stringify(context.namespace)}`,
    };
  }
  const policy = refusingPolicyIn(text);
  if (policy !== undefined) {
    return {
      code: context.call.verb === 'log in at' ? 'login_refused' : 'denied',
      cure:
        `${policy} refuses it, whatever other policies allow: change ${policy} with a root token, ` +
        'to which it does not apply',
    };
  }
  if (context.call.verb === 'log in at') return loginRefused(text);
  if (!context.hasToken) return noToken(context);
  if (/invalid token|bad token|token is expired/.test(text)) {
    return {
      code: 'invalid_token',
      cure:
        'The server does not know the token: it is wrong, expired, revoked, or belongs to another cluster or namespace. ' +
        'A cluster that joins a replication set revokes its tokens: use a login there',
    };
  }
  return {
    code: 'denied',
    cure:
      `No policy of the token allows it to ${context.call.verb} this path${inNamespace(context)}, ` +
      'or the token is not valid there (older servers return the same answer for both)',
  };
}

/** Returns the EGP or RGP that refused a call, according to the server's text. */
export function refusingPolicyIn(text: string): string | undefined {
  const [, kind, name] = REFUSING_POLICY.exec(text) ?? [];
  if (kind === undefined || name === undefined) return undefined;
  return `${kind.toUpperCase()} ${JSON.stringify(name)}`;
}

function loginRefused(text: string): Reading {
  const used = /secret[ _]id/i.test(text)
    ? '. A secret_id with a limited number of uses may be used up: each plan and each apply logs in once'
    : '';
  return { code: 'login_refused', cure: `Check the login's path, parameters and namespace${used}` };
}

function noToken({ hasToken }: CallContext): Reading {
  return {
    code: 'invalid_token',
    cure: hasToken
      ? 'The server received no token: a proxy may have removed it'
      : `No token was sent: set the ${SETTING.token}, or configure a login`,
  };
}

function notFound(text: string, context: CallContext): Reading {
  if (isNamespaceMissing(text, context)) {
    return {
      code: 'namespace_missing',
      cure: `Namespace ${JSON.stringify(context.namespace)} does not exist: create it first, or correct its name`,
    };
  }
  if (/unsupported path|enterprise-only feature|no handler for route/.test(text))
    return unsupportedPath(context);
  return { code: 'not_found', cure: `The object does not exist${inNamespace(context)}` };
}

/**
 * Whether a 404 means that the namespace does not exist: the server reports that, or takes the name
 * of the namespace for the beginning of a route.
 */
function isNamespaceMissing(text: string, { namespace, call }: CallContext): boolean {
  if (!namespace) return false;
  // The route of a list ends with a slash.
  const route = /no handler for route "([^"]*?)\/?"/.exec(text)?.[1] ?? '';
  return /^namespace not found$/m.test(text) || (route !== call.path && route.endsWith(`/${call.path}`));
}

function unsupportedPath(context: CallContext): Reading {
  return {
    code: 'unsupported_path',
    cure:
      `This server has no such endpoint${inNamespace(context)}: the path is wrong, it requires Vault Enterprise, ` +
      'or it can only be called from the root or the administrative namespace',
  };
}

function inTrouble(status: 500 | 503, text: string): Reading {
  if (/is sealed/.test(text)) {
    return { code: 'sealed', cure: 'Unseal the server, then try again', withoutEffect: true };
  }
  if (/node is not active|no active Vault instance|active cluster node not found/.test(text)) {
    return {
      code: 'no_active_node',
      cure: 'The cluster is electing an active node, or has none: check its health',
      withoutEffect: true,
    };
  }
  if (/unwrapping secondary token/.test(text)) return notActivated(text);
  if (status === 500) return SERVER_ERROR;
  return {
    code: 'unavailable',
    cure: 'The server is starting, down for maintenance or catching up: try again later',
  };
}

/**
 * Returns the reading of a failed join. The server unwraps the activation token before it changes
 * anything, so the call had no effect.
 */
function notActivated(text: string): Reading {
  return /error response unwrapping/.test(text)
    ? {
        code: 'activation_token_refused',
        cure:
          'The activation token was already used, has expired, was revoked, or belongs to another cluster: ' +
          'issue a new one on the primary. The secondary was not changed',
        withoutEffect: true,
      }
    : {
        code: 'primary_not_reached',
        cure:
          'The secondary could not call the primary at the address in the token: specify an address that it can reach ' +
          "in primary_api_addr, and the CA of the primary's certificate in ca_file or ca_path. " +
          'The secondary was not changed',
        withoutEffect: true,
      };
}

function inNamespace({ namespace }: CallContext): string {
  return namespace ? ` in namespace ${JSON.stringify(namespace)}` : '';
}

/** Returns the error texts of an answer without secrets, one for each bullet of the server. */
function serverTexts(
  { payload, text }: Pick<ServerAnswer, 'payload' | 'text'>,
  redactor: Redactor,
): readonly string[] {
  const errors = payload?.errors;
  if (isList(errors)) {
    const texts: string[] = [];
    let left = MAX_TEXT;
    for (const error of errors.slice(0, MAX_TEXTS)) {
      const text = redactor.hideWithin(textOf(error), left);
      left -= text.length;
      texts.push(...unfold(text));
      if (left <= 0) break;
    }
    return texts.slice(0, MAX_TEXTS).map(visibleLines);
  }
  // A server or proxy may answer an error with the body of a success, which may hold a new token.
  const quoted = payload ? wordsOfGateway(payload) : text.split('{', 1)[0]!;
  const excerpt = redactor.hideWithin(quoted, MAX_TEXT).replace(/\s+/g, ' ').trim().slice(0, EXCERPT);
  return excerpt === '' ? [] : [visibleLines(excerpt)];
}

/** Returns what a gateway says in JSON that is not the server's. */
function wordsOfGateway(payload: Data): string {
  const words = ['error', 'message', 'title', 'detail', 'error_description'].map((name) => payload[name]);
  return words.filter((word) => typeof word === 'string').join('; ');
}

/**
 * Returns an error as text. Vault's errors are texts; others are from another kind of server, and
 * are shown as JSON.
 */
function textOf(error: unknown): string {
  if (typeof error === 'string') return error;
  try {
    return stringifyJson(error);
  } catch {
    // The error is nested too deeply.
    return 'an error that cannot be read';
  }
}

function unfold(text: string): readonly string[] {
  if (!MULTIERROR.test(text)) return [text.trim()];
  return `\n${text.replace(MULTIERROR, '')}`
    .split(BULLET)
    .map((bullet) => bullet.trim())
    .filter((bullet) => bullet !== '');
}
