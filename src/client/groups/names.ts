import { isRecord } from '../../text';
import { texts } from '../answer/answer';
import type { Data, KeyList, VaultResponse } from '../answer/responses';
import type { RequestOptions } from '../call-options';
import type { Caller } from '../call/caller';
import { VaultError } from '../vault-error';

const EMPTY: VaultResponse<KeyList> = { status: 404, requestId: '', data: { keys: [] }, warnings: [] };

/** Lists a path. An empty or missing list has no keys. */
export async function listKeys(
  caller: Caller,
  path: string,
  options: RequestOptions = {},
): Promise<VaultResponse<KeyList>> {
  const query = { ...options.query, list: 'true' };
  const response = await caller.find({
    ...options,
    verb: 'list',
    method: 'GET',
    path,
    query,
    repeatable: true,
  });
  return response ? { ...response, data: keyList(response.data) } : EMPTY;
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
