import { normalizeFilterPath, sendsWholeNamespace } from '../../../src/model';
import { isUpstreamResourceOf, isVaultadminResourceOf } from '../../clusters/private/providers';
import { isUnknown } from '../../private/known';
import { checkAtSynthesis, warn } from '../../private/report';
import type { Construct } from 'constructs';
import type { PerfReplicationMember } from '../member';
import type { PathsFilter } from '../paths-filter';
import { declaredPaths, type DeclaredPath } from './declared-mounts';
import { code, literal, phrase, type Phrase } from '../../../src/model/messages';

/**
 * Checks the members' filters against the mounts and namespaces that the app declares. It runs at
 * synthesis, because they may be declared after the set.
 */
export function checkFilters(set: Construct, members: readonly PerfReplicationMember[]): void {
  const filtered = members.flatMap(({ cluster, secondaryId = cluster.name, pathsFilter }) =>
    pathsFilter ? [{ id: secondaryId, filter: pathsFilter }] : [],
  );
  checkAtSynthesis(set, () => {
    const declared = declaredPaths(set.node.root, (resource) =>
      members.some(
        ({ cluster }) => isUpstreamResourceOf(cluster, resource) || isVaultadminResourceOf(cluster, resource),
      ),
    );
    for (const { id, filter } of filtered) {
      for (const doubt of doubts(filter, declared)) {
        warn(set, `paths filter ${JSON.stringify(id)}: ${doubt}`);
      }
    }
    return filtered.flatMap(({ id, filter }) =>
      leaks(filter, declared).map((leak) => phrase`paths filter ${literal(id)}: ${leak}`),
    );
  });
}

/**
 * Returns warnings for paths that their author probably did not intend. They are no errors, because
 * mounts may exist that the app does not declare. An app that declares no mounts gets none.
 */
function doubts(filter: PathsFilter, declared: readonly DeclaredPath[]): string[] {
  if (!declared.some(({ kind }) => kind === 'mount')) return [];
  return knownPaths(filter).flatMap((path) => {
    const found = declared.find((each) => each.path === path);
    if (found?.local)
      return [`paths contains ${JSON.stringify(path)}, a local mount, which secondaries never receive`];
    const isWithin = declared.some((each) => each.kind === 'namespace' && path.startsWith(each.path));
    if (found || isWithin) return [];
    const listed = declared.map((each) => JSON.stringify(each.path)).join(', ');
    return [
      `paths contains ${JSON.stringify(path)}, which is neither a mount nor a namespace that this app declares: ${listed}`,
    ];
  });
}

/**
 * Returns the problems of namespaces that the filter does not restrict, so that the secondary would
 * get everything in them.
 */
function leaks(filter: PathsFilter, declared: readonly DeclaredPath[]): Phrase[] {
  const paths = knownPaths(filter);
  const meant = filter._wholeNamespaces.map(normalizeFilterPath);
  // A late path may deny the namespace or a part of it.
  if (filter._paths.some(isUnknown) && filter._mode === 'deny') return [];
  return declared
    .filter(
      ({ kind, path }) =>
        kind === 'namespace' && sendsWholeNamespace(filter._mode, paths, path) && !meant.includes(path),
    )
    .map(({ path }) => {
      const cure =
        filter._mode === 'allow' ? 'list the mounts in it one by one' : 'deny the namespace, or mounts in it';
      const intended = code(`sendingWholeNamespaces([${JSON.stringify(path)}])`);
      return phrase`${filter._mode} ${literal(knownPaths(filter))} sends the namespace ${literal(path)} with all its
        contents, now and later; ${cure}; or, if this is intended, add .${intended}`;
    });
}

function knownPaths(filter: PathsFilter): string[] {
  return filter._paths.filter((path) => !isUnknown(path)).map(normalizeFilterPath);
}
