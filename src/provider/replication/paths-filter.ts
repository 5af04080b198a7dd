import type { PathsFilterFields, StoredPathsFilter } from '../../client';
import {
  objectTitle,
  PATHS_FILTER,
  sameFilterPaths,
  type FilterMode,
  type ObjectIdentity,
} from '../../model';
import {
  definitions,
  DiagnosticError,
  isKnown,
  isWhollyKnown,
  string,
  types,
  UNKNOWN,
  type attribute,
} from '../../plugin';
import type { Clusters } from '../clusters';
import {
  importedObject,
  isUnconfirmed,
  locationOf,
  nothingToImport,
  refuseExisting,
  reportFindings,
  resourceFields,
  resourceLocation,
  StoredObject,
  subjectOf,
  writeNew,
  type RequestContext,
} from '../objects';

const { resource } = definitions<Clusters>();

interface FilterFields {
  readonly secondary_id: ReturnType<typeof attribute<string, true>>;
  readonly mode: ReturnType<typeof attribute<string, false, false, string>>;
  readonly paths: ReturnType<typeof attribute<readonly string[], false, false, readonly string[]>>;
}

const attributes = {
  id: string({ computed: true, description: 'The import id in its full form: `cluster//secondary_id`.' }),
  cluster: resourceLocation.cluster,
  ...(resourceFields(PATHS_FILTER) as unknown as FilterFields),
};

/** What Terraform 1.12 and later keeps beside the state. */
const filterIdentity = {
  attributes: {
    cluster: { type: types.string, description: 'Name of the cluster.', requiredForImport: false },
    secondary_id: { type: types.string, description: 'Id of the secondary.', requiredForImport: true },
  },
  of: ({ cluster, secondary_id }: { readonly cluster: string | null; readonly secondary_id: string }) => ({
    cluster,
    secondary_id,
  }),
};

/** Interface sections 2.4 and 4.3: `primary/paths-filter/:id`. */
export const pathsFilterResource = resource<typeof attributes>({
  name: PATHS_FILTER.name,
  schema: {
    description:
      `${PATHS_FILTER.doc} Write it before the secondary joins: what it has received already is taken away again, but ` +
      'it was there. Destroying it sends the secondary everything.',
    attributes,
  },
  identity: filterIdentity,

  validate({ config }, { diagnostics }) {
    reportFindings(PATHS_FILTER, config, diagnostics);
  },

  modifyPlan({ config, state, plan }, { provider, requireReplace }) {
    const { secondary_id, paths } = plan;
    const title = objectTitle(PATHS_FILTER, isKnown(secondary_id) ? secondary_id : undefined);
    const cluster = provider.nameOf(config.cluster, title);
    if (state !== null && cluster !== state.cluster) requireReplace(['cluster']);
    const located = isKnown(cluster) && isKnown(secondary_id);
    const same =
      state !== null && isWhollyKnown(paths) && sameFilterPaths(paths as readonly string[], state.paths);
    return {
      ...plan,
      cluster,
      id: located ? locationOf(identityOf(cluster, secondary_id)).id : UNKNOWN,
      paths: same ? state.paths : paths,
    };
  },

  planDestroy({ state }, { diagnostics }) {
    const { title } = subjectOf(PATHS_FILTER, identityOf(state.cluster!, state.secondary_id));
    diagnostics.warning(
      `${title} on cluster ${JSON.stringify(state.cluster)}: without it the secondary gets everything`,
      'To do: if data must not leave for this secondary, have it leave the replication set first.',
    );
  },

  async create({ config, plan }, context) {
    const title = objectTitle(PATHS_FILTER, plan.secondary_id);
    const cluster = context.provider.knownNameOf(config.cluster, title, context);
    const identity = identityOf(cluster, plan.secondary_id);
    const filter = storedFilter(identity, context);
    const state = { ...plan, ...placeOf(identity) };
    const fields = fieldsOf(plan);

    await refuseExisting(filter);
    await writeNew(filter, { fields, holds: (stored) => holds(stored, fields), state }, context);
    return state;
  },

  async read({ state }, context) {
    const filter = storedFilter(identityOf(state.cluster!, state.secondary_id), context);
    const stored = await filter.read();
    const imported = (state.paths as readonly string[] | null) === null;
    if (!stored && imported) throw nothingToImport(filter.subject);
    if (!stored || (isUnconfirmed(context) && !holds(stored, fieldsOf(state)))) return null;
    const paths = !imported && sameFilterPaths(stored.paths, state.paths) ? state.paths : stored.paths;
    return { ...state, mode: stored.mode, paths };
  },

  async update({ state, plan }, context) {
    const identity = identityOf(state.cluster!, state.secondary_id);
    await storedFilter(identity, context).write('update', fieldsOf(plan));
    return { ...plan, ...placeOf(identity) };
  },

  async delete({ state }, context) {
    await storedFilter(identityOf(state.cluster!, state.secondary_id), context).delete();
  },

  import(request, context) {
    const { identity } = request;
    const { cluster, namespace, name } = importedObject(
      identity ? { identity: { ...identity, name: identity.secondary_id } } : request,
      PATHS_FILTER,
      context,
    );
    if (namespace !== '') throw inNoNamespace(namespace, identityOf(cluster, name));
    reportFindings(PATHS_FILTER, { secondary_id: name }, context.diagnostics);
    return { ...placeOf(identityOf(cluster, name)), secondary_id: name };
  },
});

function inNoNamespace(namespace: string, identity: ObjectIdentity): DiagnosticError {
  return new DiagnosticError(
    `${objectTitle(PATHS_FILTER, identity.name)}: the import id names a namespace`,
    `Received: namespace ${JSON.stringify(namespace)}.\n` +
      'Allowed: none: paths filters are kept for the whole cluster, and name the namespaces in their paths.\n' +
      `To do: write ${JSON.stringify(placeOf(identity).id)}.`,
  );
}

/** Filters are known by the id of their secondary, and belong to no namespace. */
function identityOf(cluster: string, secondaryId: string): ObjectIdentity {
  return { cluster, namespace: '', name: secondaryId };
}

function placeOf(identity: ObjectIdentity) {
  const { id, cluster } = locationOf(identity);
  return { id, cluster };
}

function storedFilter(
  identity: ObjectIdentity,
  context: RequestContext,
): StoredObject<StoredPathsFilter, PathsFilterFields> {
  const { name } = identity;
  return new StoredObject(subjectOf(PATHS_FILTER, identity), context, (client) => {
    const calls = client.withNamespace('').replication.performance;
    return {
      read: (options) => calls.readPathsFilter(name, options),
      write: (fields, options) => calls.writePathsFilter(name, fields, options),
      delete: (options) => calls.deletePathsFilter(name, options),
    };
  });
}

function fieldsOf({ mode, paths }: { readonly mode: string; readonly paths: readonly string[] }) {
  return { mode: mode as FilterMode, paths };
}

function holds(stored: StoredPathsFilter, { mode, paths }: { mode: string; paths: readonly string[] }) {
  return stored.mode === mode && sameFilterPaths(stored.paths, paths);
}
