import { isRecord } from '../../text';
import { texts } from '../answer/answer';
import type { Data, KeyList, VaultResponse } from '../answer/responses';
import { callToRead, type RequestOptions } from '../call-options';
import type { Caller } from '../call/caller';
import { VaultError } from '../vault-error';

const EMPTY: VaultResponse<KeyList> = { status: 404, requestId: '', data: { keys: [] }, warnings: [] };

/**
 * Lists a path. An empty or missing list has no keys.
 *
 * @throws VaultError `unexpected_answer` if the answer has neither keys nor the id of a request, as
 *   that of a proxy: taken for an empty list, it would hide objects.
 */
export async function listKeys(
  caller: Caller,
  path: string,
  options: RequestOptions = {},
): Promise<VaultResponse<KeyList>> {
  const query = { ...options.query, list: 'true' };
  const call = { ...callToRead(path, { ...options, query }), verb: 'list' } as const;
  const response = await caller.find(call);
  if (!response) return EMPTY;
  const { requestId, data } = response;
  if (requestId === '' && data.keys === undefined) throw caller.misshapen(call, 'list of keys');
  return { ...response, data: keyList(data) };
}

/**
 * Returns the keys and details of a list. The documentation of the EGP list shows `keys` as an
 * object, and the details in `name_path_map`; servers return other forms.
 */
function keyList({ keys, key_info, name_path_map }: Data): KeyList {
  const info = key_info ?? name_path_map;
  return {
    keys: isRecord(keys) ? Object.keys(keys) : texts(keys),
    ...(isRecord(info) ? { key_info: info } : undefined),
  };
}

/**
 * Returns a name that is one segment of a path; another name would reach another endpoint.
 *
 * @param kind the kind of object, with its article: `a managed key`.
 * @throws VaultError `invalid_request`
 */
export function checkedName(name: string, kind: string): string {
  if (name !== '' && !name.includes('/')) return name;
  throw new VaultError({
    code: 'invalid_request',
    message: `${JSON.stringify(name)} cannot be the name of ${kind}: it is empty or holds a slash`,
  });
}
