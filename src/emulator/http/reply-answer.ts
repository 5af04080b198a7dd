import type { ServerFlavour } from '../core/backend';
import { type HttpAnswer, JSON_TYPE } from '../core/request/answer';
import type { ApiRequest, Reply } from '../core/call';
import { renderEnvelope, renderWrapped } from '../core/request/envelope';
import { stringifyJson } from '../core/primitives/json';
import { posix } from 'node:path';
import type { CompleteHttpRequest } from './call-reader';

export function replyAnswer(
  call: ApiRequest,
  { response, mountType }: Reply,
  server: ServerFlavour,
): HttpAnswer {
  if (response === undefined) return { status: 204, body: '', contentType: JSON_TYPE };
  if (response.raw !== undefined) return response.raw;
  const status = response.status ?? 200;
  if (response.wrapped !== undefined) {
    const body = renderWrapped(response.wrapped, mountType, server);
    return { status, body: `${body}\n`, contentType: JSON_TYPE };
  }
  const envelope = renderEnvelope(call.id, response, mountType, server);
  return {
    status,
    body: `${repeatsDataOnTop(call.path) ? withDataOnTop(envelope, response.data) : envelope}\n`,
    contentType: JSON_TYPE,
  };
}

/** Old routes. Old clients expect their data at the top level of the response. */
const OLD_ROUTES =
  /^sys\/(?:policy(?:\/|$)|capabilities|mounts(?:\/|$)|auth(?:\/|$)|audit(?:\/|$)|audit-hash\/|wrapping\/wrap$|remount$|rotate(?:\/|$)|key-status$|ha-status$|config\/cors$)/;

function repeatsDataOnTop(path: string): boolean {
  return path.startsWith('sys/') && OLD_ROUTES.test(path);
}

function withDataOnTop(envelope: string, data: object | undefined): string {
  const members = stringifyJson(data ?? {}).slice(1, -1);
  return members === '' ? envelope : `{${members},${envelope.slice(1)}`;
}

const UNTIDY = /\/\/|(?:^|\/)\.{1,2}(?:\/|$)/;

/**
 * Redirects requests with repeated slashes or dot segments to the normalized path; `undefined` if
 * the path is normalized.
 */
export function tidyRedirect(
  { path, query }: CompleteHttpRequest,
  { assumed }: ServerFlavour,
): HttpAnswer | undefined {
  if (!UNTIDY.test(path)) return undefined;
  const location =
    encodeURI(posix.normalize(`/v1/${path}`)) + (query === undefined ? '' : `?${query.toString()}`);
  return {
    status: assumed('untidyPaths').status,
    body: '',
    contentType: 'text/html; charset=utf-8',
    headers: { Location: location },
  };
}
