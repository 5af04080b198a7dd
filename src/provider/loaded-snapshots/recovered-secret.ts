import { SNAPSHOT_LOAD } from '../../model';
import { stringifyJson } from '../../client/answer/json';
import { definitions, map, string, types } from '../../plugin';
import type { Clusters } from '../clusters';
import { isRecord } from '../../text';
import { DATA_SOURCE_LOCATION } from '../objects';
import { loadedSubject, RECOVERABLE_PATHS } from './requirement';
import { requestSecret } from './secret';

const { ephemeralResource } = definitions<Clusters>();

const ATTRIBUTES = {
  cluster: DATA_SOURCE_LOCATION.cluster,
  namespace: DATA_SOURCE_LOCATION.namespace,
  snapshot_id: string({ required: true, description: SNAPSHOT_LOAD.fields.snapshot_id!.doc }),
  path: string({
    required: true,
    description:
      'Path of the secret, with the mount: `secret/app/db`, or `secret/data/app/db` in version 2. The mount must still be the one ' +
      'in the snapshot.',
  }),
  data: map(types.string, {
    computed: true,
    sensitive: true,
    description: 'The secret as it was. Values that are not strings are encoded as JSON.',
  }),
  data_json: string({ computed: true, sensitive: true, description: 'The secret as it was, as JSON.' }),
};

/** The ephemeral resource with one secret from a loaded snapshot. It does not change the server. */
export const RECOVERED_SECRET_EPHEMERAL_RESOURCE = ephemeralResource<typeof ATTRIBUTES>({
  name: 'recovered_secret',
  schema: {
    description:
      'Reads a secret from a loaded snapshot. Terraform does not store it, and the current secret does not change. ' +
      `${RECOVERABLE_PATHS} Requires the capability \`read\` on the path.`,
    attributes: ATTRIBUTES,
  },

  async open({ config }, context) {
    const { snapshot_id, path } = config;
    const title = `secret ${JSON.stringify(path)} in snapshot ${JSON.stringify(snapshot_id)}`;
    const loaded = await loadedSubject(title, config, context);
    const response = await requestSecret('read', loaded, path, context, ({ loadedSnapshots }) =>
      loadedSnapshots.readSecret(snapshot_id, path, { signal: context.signal }),
    );
    const content = contentOf(response.data);
    const data = Object.fromEntries(
      Object.entries(content).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : stringifyJson(value),
      ]),
    );
    for (const secret of Object.values(data)) context.mask(secret);
    const { cluster } = loaded.subject.location;
    return { result: { ...config, cluster, data, data_json: stringifyJson(content) } };
  },
});

/** Returns the secret itself: version 2 of KV returns it in `data`, beside `metadata`. */
function contentOf(data: Readonly<Record<string, unknown>>): object {
  const { data: content, metadata, ...others } = data;
  const isVersion =
    isRecord(content) && isRecord(metadata) && 'created_time' in metadata && Object.keys(others).length === 0;
  return isVersion ? content : data;
}
