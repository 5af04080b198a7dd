import { invalidRequest } from '../core/errors';
import type { FieldSchemas } from '../core/input/field-schemas';
import type { JsonObject } from '../core/primitives/json';
import type { ActiveFault, Fault } from './faults';
import { requireMethod } from './methods';
import { strictFields } from './strict-fields';

/** The fields of a fault in a body of the control API. */
export const FAULT_FIELDS = {
  method: {
    type: 'string',
    description: 'Only requests with this method, such as `LIST`. Default: all methods.',
  },
  path: {
    type: 'string',
    description: 'Only requests with this path below `/v1/`; `*` matches any text. Default: all paths.',
  },
  skip: {
    type: 'integer',
    description: 'The number of matching requests to answer normally first. Default: 0.',
  },
  count: {
    type: 'integer',
    description: 'The number of requests to affect. Default: all, until the fault is cleared.',
  },
  latency_ms: { type: 'integer', description: 'Effect: responses are delayed by this many milliseconds.' },
  status: {
    type: 'integer',
    description: 'Effect: requests are answered with this status and are not handled.',
  },
  errors: { type: 'string_list', description: 'The `errors` in the body of a response with `status`.' },
  retry_after: {
    type: 'integer',
    description: 'The `Retry-After` header of a response with `status`, in seconds.',
  },
  drop: {
    type: 'string',
    description: 'Effect: the connection is closed, `before` the request is handled or `after` it.',
  },
  crash: {
    type: 'string',
    description: 'Effect: the cluster crashes and restarts, `before` the request is handled or `after` it.',
  },
  sealed: { type: 'boolean', description: 'Effect: requests are answered as by a sealed server.' },
} as const satisfies FieldSchemas;

const EFFECTS = ['latency_ms', 'status', 'drop', 'crash', 'sealed'];
const MOMENTS = ['before', 'after'];
/** One hour: no client waits longer for a response. */
const LONGEST_LATENCY_MS = 3_600_000;

/**
 * Reads a fault from a body of the control API.
 *
 * @throws LogicalError 400 with the field and its allowed values.
 */
export function readFault(body: JsonObject, cluster: string): Fault {
  const data = strictFields(FAULT_FIELDS, body);
  if (!EFFECTS.some((name) => Object.hasOwn(body, name))) {
    throw invalidRequest(`a fault requires an effect: at least one of ${EFFECTS.join(', ')}`);
  }
  const { status, method, latency_ms: latency = 0 } = data;
  if (method !== undefined) requireMethod(method);
  for (const name of ['drop', 'crash'] as const) {
    const moment = data[name];
    if (moment !== undefined && !MOMENTS.includes(moment)) {
      throw invalidRequest(`${name}: "${moment}" is unknown; allowed are ${MOMENTS.join(', ')}`);
    }
  }
  if (status !== undefined && (status < 200 || status > 599)) {
    throw invalidRequest(`status: ${status} is not a final HTTP status; allowed are 200 to 599`);
  }
  for (const name of ['skip', 'count', 'latency_ms', 'retry_after'] as const) {
    if ((data[name] ?? 0) < 0) throw invalidRequest(`${name}: ${data[name]} is negative`);
  }
  if (data.count === 0) throw invalidRequest('count: 0 is not valid; allowed are numbers from 1');
  if (latency > LONGEST_LATENCY_MS)
    throw invalidRequest(`latency_ms: ${latency} is not valid; allowed are 0 to ${LONGEST_LATENCY_MS}`);
  return {
    cluster,
    method: data.method,
    path: data.path,
    skip: data.skip,
    count: data.count,
    latencyMs: data.latency_ms,
    status,
    errors: data.errors,
    retryAfter: data.retry_after,
    drop: data.drop as Fault['drop'],
    crash: data.crash as Fault['crash'],
    sealed: data.sealed,
  };
}

/** Returns a fault as the control API shows it. Members that were left out are absent. */
export function showFault({ id, hits, fault }: ActiveFault): object {
  const { method, path, skip, count, latencyMs, status, errors, retryAfter, drop, crash, sealed } = fault;
  return {
    id,
    hits,
    method,
    path,
    skip,
    count,
    latency_ms: latencyMs,
    status,
    errors,
    retry_after: retryAfter,
    drop,
    crash,
    sealed,
  };
}
