import { posix } from 'node:path';
import type { ServerFlavour } from '../core/backend';
import type { Answer } from './answer';
import type { HttpRequest } from './call-reader';

const UNTIDY = /\/\/|(?:^|\/)\.{1,2}(?:\/|$)/;

/** Sends clients that ask for repeated slashes or dot segments to the tidy path; `undefined` if the path is tidy. */
export function tidyRedirect({ path, query }: HttpRequest, { assumed }: ServerFlavour): Answer | undefined {
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
