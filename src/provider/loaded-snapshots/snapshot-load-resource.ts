// This does not import node:fs/promises, which every start of the provider would load.
import { constants, createReadStream, promises as files } from 'node:fs';
import { VaultError, type VaultClient, type VaultResponse } from '../../client';
import {
  AUTO_SNAPSHOT,
  formatImportId,
  LARGEST_SNAPSHOT,
  SNAPSHOT_LOAD,
  SNAPSHOT_LOAD_TIMEOUTS,
  type LoadedSnapshot,
} from '../../model';
import { definitions, string, UNKNOWN, type DiagnosticError } from '../../plugin';
import type { Clusters } from '../clusters';
import { describeField, reportTimeouts, timeoutOf, timeoutsBlock } from '../fields';
import {
  identificationOf,
  nothingToImport,
  nothingToRead,
  reportFindings,
  request,
  RESOURCE_LOCATION,
  subjectOf,
  type RequestContext,
  type Subject,
} from '../objects';
import { pause } from '../pause';
import {
  anotherLoaded,
  cannotBeLoaded,
  localStorage,
  notReadable,
  notReadyInTime,
  nothingWritten,
} from './messages';
import { loadedSubject } from './requirement';

const IDENTIFICATION = identificationOf(SNAPSHOT_LOAD);

const { auto_snapshot, url, file, snapshot_id } = SNAPSHOT_LOAD.fields;

const reported = (description: string) => string({ computed: true, description });

const ATTRIBUTES = {
  id: string({ computed: true, description: 'The import id in its full form: `cluster//snapshot_id`.' }),
  cluster: RESOURCE_LOCATION.cluster,
  auto_snapshot: string({ optional: true, description: describeField(auto_snapshot!) }),
  url: string({ optional: true, computed: true, description: describeField(url!) }),
  file: string({ optional: true, description: describeField(file!) }),
  snapshot_id: reported(snapshot_id!.doc),
  status: reported(
    '`ready`. `error` if it can no longer be used, such as after a change of the active node: it is then replaced.',
  ),
  created_at: reported(
    'When the server began to load it, as RFC 3339. Null if the server does not report it.',
  ),
  expires_at: reported(
    'When the server unloads it, as RFC 3339. The next plan after that loads a snapshot again.',
  ),
};

const BLOCKS = { timeouts: timeoutsBlock(SNAPSHOT_LOAD_TIMEOUTS) };

/** Milliseconds between two reads of the status while a snapshot is loaded. */
const PAUSE = 500;

const { resource } = definitions<Clusters>();

/** The resource for a snapshot that is loaded beside the present data while the resource exists. */
export const SNAPSHOT_LOAD_RESOURCE = resource<typeof ATTRIBUTES, typeof BLOCKS>({
  name: SNAPSHOT_LOAD.name,
  schema: {
    description:
      `${SNAPSHOT_LOAD.doc} Creating the resource loads the snapshot and waits until it can be used; destroying it unloads the ` +
      'snapshot. A newer snapshot is not loaded by itself: use `terraform apply -replace`.',
    attributes: ATTRIBUTES,
    blocks: BLOCKS,
  },
  identity: {
    attributes: IDENTIFICATION.identity.attributes,
    of: ({ cluster, snapshot_id }) => ({ cluster, snapshot_id }),
  },

  validate({ config }, { diagnostics }) {
    const { auto_snapshot, url, file } = config;
    reportFindings(SNAPSHOT_LOAD, { auto_snapshot, url, file }, diagnostics);
    reportTimeouts(SNAPSHOT_LOAD.title, SNAPSHOT_LOAD_TIMEOUTS, config.timeouts, diagnostics);
  },

  modifyPlan({ config, state, plan }, { providerData: provider, requireReplace }) {
    const planned: typeof plan = { ...plan, cluster: provider.nameOf(config.cluster, SNAPSHOT_LOAD.title) };
    if (state === null) return planned;
    const { id, snapshot_id, status, created_at, expires_at } = state;
    const kept: typeof plan = {
      ...planned,
      id,
      snapshot_id,
      status,
      created_at,
      expires_at,
      url: config.url ?? state.url,
    };
    for (const name of ['cluster', 'auto_snapshot', 'url'] as const) {
      if (kept[name] !== state[name]) requireReplace([name]);
    }
    // An imported object does not contain the file.
    if (kept.file !== state.file && state.file !== null) requireReplace(['file']);
    if (status !== 'error') return kept;
    requireReplace(['status']);
    return { ...kept, status: UNKNOWN };
  },

  async create({ plan, config }, context) {
    const { auto_snapshot, file, url } = config;
    const title =
      file === null
        ? `snapshot of ${JSON.stringify(auto_snapshot)}`
        : `snapshot file ${JSON.stringify(file)}`;
    const { subject } = await loadedSubject(title, { cluster: config.cluster }, context);
    const { cluster } = subject.location;
    const { signal } = context;

    const { create } = plan.timeouts ?? { create: null };
    const timeout = timeoutOf('create', { create }, SNAPSHOT_LOAD_TIMEOUTS);
    const deadline = Date.now() + timeout * 1000;
    const load = await loaderOf({ auto_snapshot, file, url }, subject, context, timeout);
    const begun = await load().catch(async (failure: unknown) => {
      throw (await loadedInstead(subject, context)) ?? failure;
    });
    const stateWith = (loaded: LoadedSnapshot) => ({
      ...plan,
      ...stateOf(cluster, loaded, { auto_snapshot, url }),
    });
    context.keep(stateWith(begun.data));

    for (let { data } = begun; ; await pause(PAUSE, signal)) {
      if (data.status !== 'loading') {
        if (data.status === 'ready') return { ...stateWith(data), timeouts: plan.timeouts };
        await requestInRoot('unload', subject, context, ({ loadedSnapshots }) =>
          loadedSnapshots.unload(data.snapshot_id, { signal }),
        );
        throw cannotBeLoaded(subject, data);
      }
      if (Date.now() >= deadline) {
        throw notReadyInTime(subject, data.snapshot_id, create ?? SNAPSHOT_LOAD_TIMEOUTS.create.default);
      }
      data = (await described(data.snapshot_id, subject, context)) ?? { ...data, status: 'unloaded' };
    }
  },

  async read({ state }, context) {
    const subject = subjectOf(SNAPSHOT_LOAD, IDENTIFICATION.identityOf(state, state.cluster!));
    const loaded = await described(state.snapshot_id!, subject, context);
    if (!loaded && state.status === null) throw nothingToImport(subject);
    return loaded ? { ...state, ...stateOf(state.cluster!, loaded, state) } : null;
  },

  /**
   * Stores the plan without a request: only fields that Terraform alone uses can change in place.
   */
  update: ({ plan, state }) => ({ ...state, file: plan.file, timeouts: plan.timeouts }),

  async delete({ state }, context) {
    const subject = subjectOf(SNAPSHOT_LOAD, IDENTIFICATION.identityOf(state, state.cluster!));
    await requestInRoot('unload', subject, context, ({ loadedSnapshots }) =>
      loadedSnapshots.unload(state.snapshot_id!),
    );
  },

  async import(importing, context) {
    const { cluster, name } = await IDENTIFICATION.toImport(importing, context);
    return { cluster, snapshot_id: name };
  },
});

interface Source {
  readonly auto_snapshot: string | null;
  readonly file: string | null;
  readonly url: string | null;
}

/**
 * Prepares a load.
 *
 * @param timeout the timeout of an upload, in seconds
 * @returns the call that begins to load the snapshot
 */
async function loaderOf(
  { auto_snapshot, file, url }: Source,
  subject: Subject,
  context: RequestContext,
  timeout: number,
): Promise<() => Promise<VaultResponse<LoadedSnapshot>>> {
  const { signal } = context;
  if (file !== null) {
    await requireReadable(file).catch((error: unknown) => {
      throw notReadable(subject, error as Error);
    });
    return () =>
      requestInRoot('load', subject, context, ({ loadedSnapshots }) =>
        loadedSnapshots.load(() => createReadStream(file), { signal, timeout }),
      );
  }
  const name = auto_snapshot!;
  const from = url ?? (await lastWritten(name, subject, context));
  if (from.startsWith('file:')) throw localStorage(subject, from);
  return () =>
    requestInRoot('load', subject, context, ({ loadedSnapshots }) =>
      loadedSnapshots.loadAutomated(name, from, { signal }),
    );
}

/**
 * @throws Error for a path that is not a regular file: reading a pipe or a device might never end.
 */
async function requireReadable(file: string): Promise<void> {
  await files.access(file, constants.R_OK);
  const stat = await files.stat(file);
  if (!stat.isFile()) throw new Error('it is not a file');
  if (stat.size > LARGEST_SNAPSHOT) {
    throw new Error(`it has ${stat.size} bytes; allowed: at most ${LARGEST_SNAPSHOT}`);
  }
}

async function lastWritten(name: string, subject: Subject, context: RequestContext): Promise<string> {
  const { cluster } = subject.location;
  const configuration = subjectOf(AUTO_SNAPSHOT, { cluster, namespace: '', name });
  const status = await requestInRoot('read the status of', configuration, context, ({ autoSnapshots }) =>
    autoSnapshots.status(name, { signal: context.signal }),
  );
  if (!status) throw nothingToRead(configuration);
  const { last_snapshot_url: url } = status.data;
  if (url === undefined) throw nothingWritten(subject, name);
  return url;
}

/** Returns the reason if a snapshot could not be loaded because another one is loaded. */
async function loadedInstead(
  subject: Subject,
  context: RequestContext,
): Promise<DiagnosticError | undefined> {
  const client = await context.providerData.client(subject.location, subject.title, context);
  try {
    const [id] = (await client.withNamespace('').loadedSnapshots.list({ signal: context.signal })).data.keys;
    if (id === undefined) return undefined;
    return anotherLoaded(subject, subjectOf(SNAPSHOT_LOAD, { ...subject.location, name: id }));
  } catch (error) {
    if (VaultError.is(error)) return undefined;
    throw error;
  }
}

async function described(
  id: string,
  subject: Subject,
  context: RequestContext,
): Promise<LoadedSnapshot | undefined> {
  const response = await requestInRoot('read', subject, context, ({ loadedSnapshots }) =>
    loadedSnapshots.read(id, { signal: context.signal }),
  );
  return response?.data;
}

/**
 * Snapshots can only be loaded in the root namespace, whatever namespace the cluster's settings
 * have.
 */
function requestInRoot<R extends VaultResponse<unknown> | undefined>(
  verb: string,
  subject: Subject,
  context: RequestContext,
  call: (client: VaultClient) => Promise<R>,
): Promise<R> {
  return request(verb, subject, context, (client) => call(client.withNamespace('')));
}

/** @param known the source, if the provider knows it: servers may not return it. */
function stateOf(cluster: string, loaded: LoadedSnapshot, known: Omit<Source, 'file'>) {
  const { snapshot_id, status, created_at = null, expires_at = null, auto_config_name = null } = loaded;
  return {
    id: formatImportId({ cluster, namespace: '', name: snapshot_id }),
    cluster,
    auto_snapshot: known.auto_snapshot ?? auto_config_name,
    url: known.url ?? loaded.url ?? null,
    snapshot_id,
    status,
    created_at,
    expires_at,
  };
}
