import { header, isList, type Answer } from '../answer/answer';
import { visibleLines, type Redactor } from '../../text';
import { stringifyJson } from '../answer/json';
import type { Call } from '../call-options';
import { SETTING } from '../options/client-options';
import type { Problem } from './call-error';
import type { VaultErrorCode } from '../vault-error';

/** How many characters are shown of an answer that is not the server's JSON. */
const EXCERPT = 200;
const MULTIERROR = /^\d+ errors? occurred:\s*/;
const BULLET = /\n[ \t]*\* /;
/** How many texts of an answer are looked at, and how many characters of all of them. */
const MAX_TEXTS = 100;
const MAX_TEXT = 16 * 1024;

/** What the settings of the call have to do with its failure. */
interface CallContext {
  readonly call: Pick<Call, 'verb' | 'path'>;
  readonly hasToken: boolean;
  readonly namespace: string | undefined;
  /** Sees the server's texts before anything else does. */
  readonly redactor: Redactor;
}

/** For answers that come from something else. */
export const NOT_A_SERVER = `This is not an answer from a Vault server: check the ${SETTING.address} and any proxies in between`;

interface Reading {
  readonly code: VaultErrorCode;
  readonly cure: string;
  /** Whether the server certainly did nothing. */
  readonly withoutEffect?: boolean;
}

/** What went wrong, according to an answer that is not a success. */
export function problemOfAnswer(answer: Answer, context: CallContext): Problem {
  // A success that cannot be read may hold secrets: nothing of it is shown.
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

function read(answer: Answer, text: string, context: CallContext): Reading {
  if (/HTTP request to an HTTPS server/.test(text)) {
    return { code: 'wrong_scheme', cure: `The server uses TLS: use an https:// ${SETTING.address}` };
  }
  // A server's refusal is a JSON object with a list of texts, empty at times. Proxies have limits of their own.
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

/** Whatever the status: public sources have one, and others are as likely. */
const CATCHING_UP: Reading = {
  code: 'catching_up',
  cure: 'Wait until it has all data of its primary, or force the promotion and lose the missing data',
  withoutEffect: true,
};

const SERVER_ERROR: Reading = { code: 'server_error', cure: "See the server's log for details" };

/** Statuses that mean one thing, whatever the text. */
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
  if (context.call.verb === 'log in at') return loginRefused(text);
  if (!context.hasToken) return noToken(context);
  if (/invalid token|bad token|token is expired/.test(text)) {
    return {
      code: 'invalid_token',
      cure: 'The server does not know the token: it is wrong, expired, revoked, or belongs to another cluster or namespace',
    };
  }
  return {
    code: 'denied',
    cure:
      `No policy of the token allows it to ${context.call.verb} this path${inNamespace(context)}, ` +
      'or the token is not valid there (older servers return the same answer for both)',
  };
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
      code: 'unsupported_path',
      cure: `Namespace ${JSON.stringify(context.namespace)} does not exist: create it first, or correct its name`,
    };
  }
  if (/unsupported path|enterprise-only feature|no handler for route/.test(text))
    return unsupportedPath(context);
  return { code: 'not_found', cure: `The object does not exist${inNamespace(context)}` };
}

/** A server that does not know a namespace reports that, or looks for its name among the routes of the parent namespace. */
function isNamespaceMissing(text: string, { namespace, call }: CallContext): boolean {
  if (!namespace) return false;
  const route = /no handler for route "([^"]*)"/.exec(text)?.[1] ?? '';
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

/** The token is looked at before anything is changed. */
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

/** The error texts of an answer without secrets, one for each bullet that the server made of several errors. */
function serverTexts(
  { payload, text }: Pick<Answer, 'payload' | 'text'>,
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
  const excerpt = redactor.hideWithin(text, MAX_TEXT).replace(/\s+/g, ' ').trim().slice(0, EXCERPT);
  return excerpt === '' ? [] : [visibleLines(excerpt)];
}

/** What is no text, of something else than a Vault server, is shown as it came. */
function textOf(error: unknown): string {
  if (typeof error === 'string') return error;
  try {
    return stringifyJson(error);
  } catch {
    // Nested too deeply.
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
