import { invalidRequest } from '../core/errors';
import type { JsonObject } from '../core/primitives/json';
import type { ClusterNodes } from './cluster-nodes';

interface Controlled {
  readonly cluster: { readonly nodes: ClusterNodes };
  readonly body: JsonObject;
}

/** The control API's actions on the nodes of a cluster. */
export const NODE_ACTIONS: Readonly<Record<string, (request: Controlled) => object>> = {
  'GET nodes': ({ cluster }) => showNodes(cluster.nodes),
  'POST nodes': ({ cluster: { nodes }, body }) => {
    const behind = flag(body, 'standbys_behind');
    const forwards = flag(body, 'forwarding');
    if (behind !== undefined) nodes.standbysBehind = behind;
    if (forwards !== undefined) nodes.forwards = forwards;
    return showNodes(nodes);
  },
};

function showNodes({ all, standbysBehind, forwards }: ClusterNodes): object {
  return {
    nodes: all.map(({ address, isStandby }) => ({ address, active: !isStandby })),
    standbys_behind: standbysBehind,
    forwarding: forwards,
  };
}

function flag(body: JsonObject, name: string): boolean | undefined {
  const value = body[name];
  if (value === undefined || typeof value === 'boolean') return value;
  throw invalidRequest(`${name}: not a boolean`);
}
