import {
  SNAPSHOT_STATUS_PATH,
  AUTO_SNAPSHOT,
  autoSnapshotOf,
  describeFinding,
  type FieldValues,
} from '../../model';
import {
  type LogicalRequest,
  type LogicalResponse,
  type Route,
  type ServerFlavour,
  route,
} from '../core/backend';
import { openRefusal } from '../core/errors';
import type { FieldSchemas } from '../core/input/field-schemas';
import { modelRefusal, refusedFinding } from '../core/input/model-input';
import type { SnapshotAgent } from './agent';
import { describeStatus } from './status';
import type { SnapshotConfig } from './store';
import { SnapshotWire } from './wire';

const NAME_FIELD = {
  name: { type: 'string', path: true, description: 'Name of the configuration.' },
} as const satisfies FieldSchemas;

/** The parts of a cluster that the routes use. */
interface SnapshotParts {
  readonly snapshots: SnapshotAgent;
  readonly server: ServerFlavour;
}

type ConfigRequest = Pick<LogicalRequest, 'data'>;

const CONFIG_PATH = AUTO_SNAPSHOT.path.replace(/^sys\//, '');
const STATUS_PATH = SNAPSHOT_STATUS_PATH.replace(/^sys\//, '');

/** The paths that require sudo: all of them, including the list. */
export const SNAPSHOT_ROOT_PATHS = [`${CONFIG_PATH}/*`];

/** Routes for configurations of automated snapshots, and for their status. */
export function snapshotRoutes({ snapshots, server }: SnapshotParts): readonly Route[] {
  const { store } = snapshots;
  const wire = new SnapshotWire(server);

  const write = ({ data }: ConfigRequest): undefined => {
    const name = nameIn(data);
    const config = mergeConfig(store.config(name), wire.decode(data), wire);
    const definition = autoSnapshotOf(config.storage_type);
    const finding = refusedFinding(definition, { ...config, name });
    // The text does not contain the name: the request's path has it, and a long name would break
    // the line.
    if (finding !== undefined) {
      throw modelRefusal(wire.text(describeFinding(definition, undefined, finding).line));
    }
    refuseSecondAutoload(name, config as SnapshotConfig);
    snapshots.configure(name, config as SnapshotConfig);
  };
  const refuseSecondAutoload = (name: string, config: SnapshotConfig) => {
    if (config.autoload_enabled !== true) return;
    const other = store
      .names()
      .find((each) => each !== name && store.config(each)?.autoload_enabled === true);
    if (other !== undefined) throw openRefusal('snapshotAutoload', other);
  };
  const read = ({ data }: ConfigRequest): LogicalResponse | undefined => {
    const config = store.config(nameIn(data));
    return config && { data: wire.encode(config) };
  };

  return [
    route({
      pattern: CONFIG_PATH,
      rootNamespaceOnly: true,
      operations: { list: () => ({ data: { keys: store.names() } }) },
      help: { synopsis: 'Lists the configurations of automated snapshots.' },
    }),
    route({
      pattern: `${CONFIG_PATH}/:name`,
      rootNamespaceOnly: true,
      fields: wire.fields,
      operations: {
        read,
        update: write,
        delete: ({ data }) => snapshots.forget(nameIn(data)),
      },
      help: { synopsis: 'Reads, writes and deletes a configuration of automated snapshots.' },
    }),
    route({
      pattern: `${STATUS_PATH}/:name`,
      rootNamespaceOnly: true,
      fields: NAME_FIELD,
      operations: { read: ({ data }) => describeStatus(snapshots, wire, data.name) },
      help: { synopsis: 'Reads the status of the snapshots of a configuration.' },
    }),
  ];
}

function nameIn({ name }: LogicalRequest['data']): string {
  return name as string;
}

/**
 * Returns the configuration after a write: the request's fields, then the stored ones, then the
 * defaults. Fields of other storage types are ignored, and removed when the storage type changes.
 */
function mergeConfig(before: SnapshotConfig | undefined, sent: FieldValues, wire: SnapshotWire): FieldValues {
  const values: FieldValues = { ...before, ...sent };
  const own = Object.entries(autoSnapshotOf(values.storage_type).fields).filter(
    ([name, { identity }]) => identity !== true && wire.knows(name),
  );
  return Object.fromEntries(
    own
      .map(([name, field]) => [name, values[name] ?? field.default] as const)
      .filter(([, value]) => value !== undefined),
  );
}
