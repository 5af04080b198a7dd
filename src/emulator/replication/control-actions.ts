import { DurationError, parseDuration } from '../../model';
import { invalidRequest } from '../core/errors';
import type { JsonObject } from '../core/primitives/json';
import type { ReplicationControl } from './control';
import { crashStep } from './steps';

interface Controlled {
  readonly cluster: { readonly name: string };
  readonly body: JsonObject;
}

type Action = (request: Controlled) => object | void;

/**
 * The control API's actions on the network between clusters. Lags and crashes apply to the cluster
 * that receives the request.
 */
export function replicationActions(control: ReplicationControl): Readonly<Record<string, Action>> {
  const changing = (change: (request: Controlled) => void) => (request: Controlled) => {
    refusingRanges(() => change(request));
    return showState(control);
  };
  return {
    'GET replication': () => showState(control),
    'POST replication/partition': changing(({ cluster, body }) =>
      control.partition(cluster.name, text(body, 'from')),
    ),
    'POST replication/heal': changing(({ cluster, body }) =>
      body.from === undefined ? control.heal() : control.heal(cluster.name, text(body, 'from')),
    ),
    'POST replication/delay': changing(({ cluster, body }) => control.delay(cluster.name, delay(body))),
    'POST replication/pause': changing(({ cluster }) => control.pause(cluster.name)),
    'POST replication/resume': changing(({ cluster }) => control.resume(cluster.name)),
    'POST replication/load-balancer': changing(({ cluster, body }) =>
      control.addLoadBalancer(cluster.name, text(body, 'address')),
    ),
    'POST replication/node': changing(({ cluster, body }) =>
      // `answerBy` checks the value.
      control.answerBy(cluster.name, text(body, 'kind') as Parameters<typeof control.answerBy>[1]),
    ),
    'POST replication/corrupt-tree': changing(({ cluster }) => control.corruptTree(cluster.name)),
    'POST replication/crash': changing(({ cluster, body }) => {
      if (body.at === undefined) control.crash(cluster.name);
      else control.crashAt(cluster.name, crashStep(text(body, 'at')));
    }),
  };
}

function showState(control: ReplicationControl): object {
  const { loadBalancers, ...others } = control.state();
  return { ...others, load_balancers: loadBalancers };
}

function refusingRanges(action: () => void): void {
  try {
    action();
  } catch (error) {
    throw error instanceof RangeError ? invalidRequest(error.message) : error;
  }
}

function text(body: JsonObject, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw invalidRequest(`${name}: missing, or not a string`);
  return value;
}

function delay({ by }: JsonObject): number {
  if (typeof by !== 'string' && typeof by !== 'number') {
    throw invalidRequest('by: missing; allowed are seconds, or a duration such as "5s"');
  }
  try {
    return parseDuration(by) * 1000;
  } catch (error) {
    throw error instanceof DurationError ? invalidRequest(`by: ${error.message}`) : error;
  }
}
