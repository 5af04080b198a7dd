import { SETTING } from '../options/client-options';
import { MAX_ANSWER, type WireFailure } from '../transport/exchange';
import type { CallProblem } from './call-error';
import { errorWords } from '../error-words';
import type { VaultErrorCode } from '../vault-error';

/**
 * Returns the problem of a request without an answer.
 *
 * @param timeout in milliseconds.
 * @param trusted the setting with the certificates that are trusted; absent for the system's.
 */
export function problemOfFailure(
  failure: WireFailure,
  origin: string,
  timeout: number,
  trusted: string | undefined,
): CallProblem {
  const withoutEffect = !failure.sent;
  switch (failure.reason) {
    case 'timeout':
      return {
        code: 'timeout',
        what: `no answer within ${Math.round(timeout) / 1000} s`,
        cure: failure.sent
          ? `The server hangs or needs more time: check its load, or raise the ${SETTING.timeout}`
          : `No connection could be made in this time: check the ${SETTING.address} and the firewalls in between`,
        withoutEffect,
      };
    case 'aborted':
      return {
        code: 'aborted',
        what: 'the call was aborted',
        cure: 'The caller canceled it',
        withoutEffect,
      };
    case 'closed':
      return {
        code: 'closed',
        what: 'the client was closed',
        cure: 'Make calls before closing it',
        withoutEffect,
      };
    case 'too_long':
      return {
        code: 'unexpected_answer',
        what: `the answer is longer than ${MAX_ANSWER / 1024 / 1024} MiB`,
        cure: `No endpoint returns that much: check the ${SETTING.address}, and any proxies in between`,
        withoutEffect,
      };
    case 'network': {
      const cause = causeOf(failure.error);
      const { code, what, cure } = read(cause.code, failure, origin, trusted);
      return { code, what: `${what} (${cause.message})`, cure, cause, withoutEffect };
    }
  }
}

/** Returns the problem with advice about the proxy, which may be the cause. */
export function throughProxy(problem: CallProblem, proxy: string): CallProblem {
  const { protocol, host } = new URL(proxy);
  return {
    ...problem,
    what: `${problem.what}, through the proxy ${protocol}//${host}`,
    cure: `${problem.cure}; or correct the proxy: ${SETTING.proxy}, HTTPS_PROXY, HTTP_PROXY or NO_PROXY`,
  };
}

interface Reading {
  readonly code: VaultErrorCode;
  readonly what: string;
  readonly cure: string;
}

function read(code: string, { sent }: WireFailure, origin: string, trusted: string | undefined): Reading {
  if (/^UND_ERR_(DESTROYED|CLOSED)$/.test(code)) {
    return { code: 'closed', what: 'the connections were closed', cure: 'Make calls before closing them' };
  }
  if (code.startsWith('ERR_TLS_CERT_ALTNAME')) {
    return {
      code: 'tls_wrong_host',
      what: "the server's certificate is for a different host",
      cure: `Use an ${SETTING.address} that the certificate contains, or set ${SETTING.serverName} to one`,
    };
  }
  if (/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(code)) {
    return {
      code: 'tls_not_trusted',
      what: "the server's certificate is expired or not yet valid",
      cure: "Renew the certificate, or correct this machine's clock",
    };
  }
  if (/^(UNABLE_TO_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_|PATH_LENGTH_|ERROR_IN_)/.test(code)) {
    return {
      code: 'tls_not_trusted',
      what: "the server's certificate is not trusted",
      cure:
        trusted === undefined
          ? `Set ${SETTING.caCertFile} to the certificate of the authority that signed it`
          : `${trusted}, without the certificate of the authority that signed it: set it to that certificate`,
    };
  }
  if (speaksAnotherProtocol(code)) return wrongScheme(origin);
  if (/^ERR_SSL_.*(CERTIFICATE|HANDSHAKE_FAILURE|UNKNOWN_CA)/.test(code)) {
    return {
      code: 'tls_client_certificate',
      what: 'the server refused the TLS handshake',
      cure: `It may require a client certificate that it trusts: check ${SETTING.clientCertFile}`,
    };
  }
  if (/^(ERR_SSL_|ERR_TLS_|ERR_OSSL_|EPROTO)/.test(code)) {
    return {
      code: 'tls_failed',
      what: 'TLS could not be set up',
      cure: 'Both sides must support TLS 1.2 or newer: check the listener, and any proxies in between',
    };
  }
  return sent ? connectionLost(origin) : unreachable(code);
}

function unreachable(code: string): Reading {
  const what = /^(ENOTFOUND|EAI_)/.test(code)
    ? 'the host name cannot be resolved'
    : 'no connection could be made';
  return {
    code: 'unreachable',
    what,
    cure: `Check the ${SETTING.address}, that the server is running and listens there, and the network in between`,
  };
}

function connectionLost(origin: string): Reading {
  return {
    code: 'connection_lost',
    what: 'the connection was closed before the answer was complete',
    cure: isTls(origin)
      ? `Check the server's log; it may require a client certificate, see ${SETTING.clientCertFile}`
      : "Check the server's log; it may require TLS: use an https:// address",
  };
}

function wrongScheme(origin: string): Reading {
  return isTls(origin)
    ? {
        code: 'wrong_scheme',
        what: 'the server does not use TLS',
        cure: `Use an http:// ${SETTING.address}, or the port of the TLS listener`,
      }
    : {
        code: 'wrong_scheme',
        what: 'the server does not use plain HTTP',
        cure: `It may use TLS: use an https:// ${SETTING.address}, or another port`,
      };
}

function speaksAnotherProtocol(code: string): boolean {
  return code === 'ERR_SSL_WRONG_VERSION_NUMBER' || /^HPE_(?!.*OVERFLOW)/.test(code);
}

function isTls(origin: string): boolean {
  return origin.startsWith('https:');
}

/**
 * Returns the name, code and message of an error. Its other properties are left out: Node.js puts
 * bytes of the answer, and the whole certificate, into them.
 */
function causeOf(error: Error | undefined): Required<CallProblem>['cause'] {
  const { code = '' } = (error ?? {}) as { code?: string };
  const words = error && errorWords(error);
  return { name: error?.name ?? 'Error', code, message: words || code || 'unknown error' };
}
