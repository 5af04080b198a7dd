import createRouter, { type Instance, type HTTPVersion } from 'find-my-way';
import type { MountBackend, Route } from '../backend';
import { PathSet } from './path-set';

/** A route with the values of the fields in the path. */
export interface RouteMatch {
  readonly route: Route;
  readonly captures: Readonly<Record<string, string>>;
}

interface Leaf {
  /** The index of the route among those of its backend. */
  readonly index: number;
  /** The field that matches the rest of the path, and the literal text that must follow it. */
  readonly rest?: { readonly field: string; readonly suffix: string };
}

/** The server's pattern for names in paths. */
const NAME = '(^\\w(?:[\\w.-]*\\w)?$)';
const REST_FIELD = /\*(\w+)((?:\/[\w-]+)*)$/;
/** The characters that find-my-way would treat as the start of a query, or decode again. */
const SPECIAL_CHARACTERS = /[%?#;]/g;
/** The number of cached results: clients request the same paths repeatedly. */
const MAX_REMEMBERED = 10_000;

/** Finds the route of a path within one backend. */
export class BackendRouter {
  readonly rootPaths: PathSet;
  readonly unauthenticatedPaths: PathSet;
  readonly #routes: readonly Route[];
  /** Created at the first request, since most backends of most clusters do not receive any. */
  #router: Instance<HTTPVersion.V1> | undefined;
  readonly #found = new Map<string, RouteMatch>();

  constructor(backend: MountBackend) {
    this.rootPaths = new PathSet(backend.rootPaths);
    this.unauthenticatedPaths = new PathSet(backend.unauthenticatedPaths);
    this.#routes = backend.routes;
  }

  find(path: string): RouteMatch | undefined {
    const known = this.#found.get(path);
    if (known !== undefined) return known;
    const match = this.#search(path);
    if (match === undefined) return undefined;
    if (this.#found.size >= MAX_REMEMBERED) this.#found.clear();
    this.#found.set(path, match);
    return match;
  }

  #search(path: string): RouteMatch | undefined {
    // The operation is checked later, so that a path without the operation is answered with 405,
    // and not as an unknown path.
    this.#router ??= sharedRouter(this.#routes);
    const found = this.#router.find('GET', `/${path.replace(SPECIAL_CHARACTERS, encodeURIComponent)}`);
    if (found === null) return undefined;
    const { '*': rest = '', ...captures } = found.params as Record<string, string>;
    for (const { index, rest: wanted } of found.store as readonly Leaf[]) {
      const route = this.#routes[index]!;
      if (wanted === undefined) return { route, captures };
      if (rest.endsWith(wanted.suffix) && rest.length > wanted.suffix.length) {
        const value = rest.slice(0, rest.length - wanted.suffix.length);
        return { route, captures: { ...captures, [wanted.field]: value } };
      }
    }
    return undefined;
  }
}

/** Routers by their patterns, because every cluster of a process has the same backends. */
const ROUTERS = new Map<string, Instance<HTTPVersion.V1>>();

function sharedRouter(routes: readonly Route[]): Instance<HTTPVersion.V1> {
  const key = routes
    .map(({ pattern, operations }) => `${pattern} ${operations.list === undefined}`)
    .join('\n');
  const router = ROUTERS.get(key) ?? routerOf(routes);
  ROUTERS.set(key, router);
  return router;
}

function routerOf(routes: readonly Route[]): Instance<HTTPVersion.V1> {
  const router = createRouter({ maxParamLength: 1 << 20, allowUnsafeRegex: true });
  const leaves = new Map<string, Leaf[]>();
  for (const [index, route] of routes.entries()) addRoute(route, index, leaves);
  for (const [path, ofPath] of leaves) router.on('GET', path, () => undefined, ofPath);
  return router;
}

/**
 * Adds a route to a router.
 *
 * @param leaves the routes by the router's paths, to which the route is added.
 */
function addRoute(route: Route, index: number, leaves: Map<string, Leaf[]>): void {
  const leavesAt = (path: string): Leaf[] => {
    const present = leaves.get(path) ?? [];
    leaves.set(path, present);
    return present;
  };
  const [, field, suffix = ''] = REST_FIELD.exec(route.pattern) ?? [];
  const path = `/${route.pattern.replace(REST_FIELD, '*').replace(/:(\w+)/g, `:$1${NAME}`)}`;
  if (field === undefined) {
    // Only lists have a trailing slash; other operations have the same path without it.
    const variants = route.operations.list === undefined || path === '/' ? [path] : [path, `${path}/`];
    for (const variant of variants) leavesAt(variant).push({ index });
    return;
  }
  const ofPath = leavesAt(path);
  ofPath.push({ index, rest: { field, suffix } });
  // A route with a literal ending takes precedence, regardless of its position in the table.
  ofPath.sort((a, b) => (b.rest?.suffix.length ?? 0) - (a.rest?.suffix.length ?? 0));
}
