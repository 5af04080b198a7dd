/**
 * Safety properties, as monitors of a history. They read the truth of the clusters and the confirmations of the user, and
 * nothing that the process under test reports.
 */
import type { Answer, Request, World } from './model';

/** A request that has arrived. */
export interface Happening {
  readonly by: 'process' | 'hand';
  readonly cluster: number;
  readonly request: Request;
  readonly before: World;
  readonly after: World;
  /** Null if it did not come back. */
  readonly answer: Answer | null;
}

export interface Property {
  readonly name: string;
  /** The state of the monitor, plain JSON. */
  readonly start: unknown;
  /** @returns the next state; `undefined` if the property is violated. */
  next(state: never, happening: Happening): unknown;
}

/**
 * No process promotes a cluster unless it has asked each other one that answers since its last change, and none was a
 * primary then.
 */
export const LOOKS_BEFORE_PROMOTION: Property = {
  name: 'looks before a promotion',
  start: {},
  next(asked: Readonly<Record<string, boolean>>, { by, cluster, request, before }) {
    if (by === 'hand') return asked;
    const isPrimary = before.clusters[cluster]!.role.mode === 'primary';
    if (request.kind === 'status') return { ...asked, [cluster]: isPrimary };
    if (request.kind === 'demote') return {};
    if (request.kind !== 'promote') return asked;
    const others = before.clusters.flatMap(({ busy, sealed }, index) =>
      index === cluster || busy || sealed || before.silent.includes(index) ? [] : [index],
    );
    return others.every((other) => asked[other] === false) ? {} : undefined;
  },
};

/** No process erases a cluster whose loss the user has not confirmed. */
export function erasesOnlyConfirmed(confirmed: readonly number[]): Property {
  return {
    name: 'erases only what is confirmed',
    start: null,
    next(state: null, { by, cluster, request, before, after }) {
      if (by === 'hand' || request.kind !== 'enable-secondary') return state;
      const lost = before.clusters[cluster]!.content.marks.filter(
        (mark) => !after.clusters[cluster]!.content.marks.includes(mark),
      );
      return lost.length === 0 || confirmed.includes(cluster) ? state : undefined;
    },
  };
}
