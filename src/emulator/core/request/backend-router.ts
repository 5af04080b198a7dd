import createRouter, { type Instance, type HTTPVersion } from 'find-my-way';
import type { Backend, Route } from '../backend';
import { PathSet } from './path-set';

/** A route together with the fields that the path holds. */
export interface RouteMatch {
  readonly route: Route;
  readonly captures: Readonly<Record<string, string>>;
}

interface Leaf {
  readonly route: Route;
  /** The field that a final `*` stands for, and the literal text that has to follow it. */
  readonly rest?: { readonly field: string; readonly suffix: string };
}

/** The server's pattern for names in paths. */
const NAME = '(^\\w(?:[\\w.-]*\\w)?$)';
const REST_FIELD = /\*(\w+)((?:\/[\w-]+)*)$/;
/** What find-my-way would take as the start of a query, or decode a second time. */
const SPECIAL_CHARACTERS = /[%?#;]/g;
/** Clients ask for the same paths again and again: what was found for so many is kept. */
const MAX_REMEMBERED = 10_000;

/** Finds the route of a path within one backend. */
export class BackendRouter {
  readonly rootPaths: PathSet;
  readonly unauthenticatedPaths: PathSet;
  readonly #router: Instance<HTTPVersion.V1> = createRouter({
    maxParamLength: 1 << 20,
    allowUnsafeRegex: true,
  });
  readonly #leaves = new Map<string, Leaf[]>();
  readonly #found = new Map<string, RouteMatch>();

  constructor(backend: Backend) {
    this.rootPaths = new PathSet(backend.rootPaths);
    this.unauthenticatedPaths = new PathSet(backend.unauthenticatedPaths);
    for (const route of backend.routes) this.#add(route);
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
    // Operations are told apart afterwards, so that a path without the operation is no unknown path.
    const found = this.#router.find('GET', `/${path.replace(SPECIAL_CHARACTERS, encodeURIComponent)}`);
    if (found === null) return undefined;
    const { '*': rest = '', ...captures } = found.params as Record<string, string>;
    for (const { route, rest: wanted } of found.store as readonly Leaf[]) {
      if (wanted === undefined) return { route, captures };
      if (rest.endsWith(wanted.suffix) && rest.length > wanted.suffix.length) {
        const value = rest.slice(0, rest.length - wanted.suffix.length);
        return { route, captures: { ...captures, [wanted.field]: value } };
      }
    }
    return undefined;
  }

  #add(route: Route): void {
    const [, field, suffix = ''] = REST_FIELD.exec(route.pattern) ?? [];
    const path = `/${route.pattern.replace(REST_FIELD, '*').replace(/:(\w+)/g, `:$1${NAME}`)}`;
    if (field === undefined) {
      // Lists come with a final slash, which no other operation takes for the same path.
      const variants = route.operations.list === undefined || path === '/' ? [path] : [path, `${path}/`];
      for (const variant of variants) this.#leavesAt(variant).push({ route });
      return;
    }
    const leaves = this.#leavesAt(path);
    leaves.push({ route, rest: { field, suffix } });
    // A literal ending is the closer match, wherever it stands in the table.
    leaves.sort((a, b) => (b.rest?.suffix.length ?? 0) - (a.rest?.suffix.length ?? 0));
  }

  #leavesAt(path: string): Leaf[] {
    let leaves = this.#leaves.get(path);
    if (leaves === undefined) {
      leaves = [];
      this.#leaves.set(path, leaves);
      this.#router.on('GET', path, () => undefined, leaves);
    }
    return leaves;
  }
}
