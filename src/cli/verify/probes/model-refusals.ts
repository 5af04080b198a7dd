import { AUTO_SNAPSHOT, fromProduct, MANAGED_KEY, PERFORMANCE_PATH, type Dialect } from '../../../model';
import type { Wire } from '../wire';
import { judgeRefusal } from './judge-refusal';
import type { Seen } from './probe';

/** A request that is not valid by the model's rules. */
interface Refused {
  /** A description of the object or request. */
  readonly what: string;
  readonly path: string;
  readonly body: object;
  /** The field that a text has to name in order to explain the refusal. */
  readonly field: string;
  /** Whether the request creates an object, which is removed if the server accepts it. */
  readonly isObject: boolean;
}

type Judged = readonly [refused: Refused, seen: Seen<'modelRefusals'>];

const POLICY = 'main = rule { true }';

/** Returns the requests that can be sent to a namespace. */
export function refusedInNamespace(dialect: Dialect): readonly Refused[] {
  const key = fromProduct(dialect, MANAGED_KEY.name);
  return [
    {
      what: 'an EGP with an unknown enforcement level',
      path: 'sys/policies/egp/verify-refused',
      body: { policy: POLICY, paths: ['verify-refused'], enforcement_level: 'verify-level' },
      field: 'enforcement_level',
      isObject: true,
    },
    {
      what: 'an EGP without paths',
      path: 'sys/policies/egp/verify-refused',
      body: { policy: POLICY, enforcement_level: 'advisory' },
      field: 'paths',
      isObject: true,
    },
    {
      what: 'an RGP with an unknown enforcement level',
      path: 'sys/policies/rgp/verify-refused',
      body: { policy: POLICY, enforcement_level: 'verify-level' },
      field: 'enforcement_level',
      isObject: true,
    },
    {
      what: 'a managed key of an unknown key type',
      path: `${MANAGED_KEY.path}/${key.type('awskms')}/verify-refused`,
      body: {
        access_key: 'AKIAVERIFYVERIFY0000',
        secret_key: 'verifyVerifyVerifyVerifyVerifyVerify0000',
        kms_key: 'alias/verify',
        key_type: 'verify-type',
        key_bits: 2048,
      },
      field: 'key_type',
      isObject: true,
    },
  ];
}

/** Returns the requests that are only sent to a disposable cluster, which is a primary. */
export function refusedInRoot(dialect: Dialect): readonly Refused[] {
  const { path, name } = AUTO_SNAPSHOT;
  const snapshot = fromProduct(dialect, name);
  return [
    {
      what: 'a snapshot configuration of an unknown storage type',
      path: `${path}/verify-refused`,
      body: { ...snapshot.fields({ path_prefix: 'verify' }), interval: 3600, storage_type: 'verify-type' },
      field: 'storage_type',
      isObject: true,
    },
    {
      what: 'a paths filter of an unknown mode',
      path: `${PERFORMANCE_PATH}/primary/paths-filter/verify-refused`,
      body: { mode: 'verify-mode', paths: ['verify-refused/'] },
      field: 'mode',
      isObject: true,
    },
    {
      what: 'an activation token without an id',
      path: `${PERFORMANCE_PATH}/primary/secondary-token`,
      body: { ttl: '60s' },
      field: 'id',
      isObject: false,
    },
  ];
}

/**
 * Sends requests that the server should refuse, and judges the answers. An object that the server
 * accepts nevertheless is removed.
 */
export async function judged(server: Wire, all: readonly Refused[]): Promise<readonly Judged[]> {
  const found: Judged[] = [];
  for (const refused of all) {
    const { path, body, field, isObject } = refused;
    const answer = await server.post(path, body);
    if (answer.status < 300 && isObject) await server.withoutSignal().delete(path);
    found.push([refused, judgeRefusal('modelRefusals', answer, { names: [field], isText: false })]);
  }
  return found;
}

/**
 * Returns one finding for all refusals, if they are alike. Requests without a result do not count.
 */
export function inTotal(all: readonly Judged[]): Seen<'modelRefusals'> {
  const found = all.filter(([, seen]) => !('unseen' in seen));
  const [first] = found;
  if (first === undefined) return all[0]![1];
  const [, seen] = first;
  if (found.every(([, each]) => outcomeOf(each) === outcomeOf(seen))) return seen;
  const others = found.filter(([, each]) => outcomeOf(each) !== outcomeOf(seen));
  const differing = others.map(([{ what }, each]) => `${what}: ${outcomeOf(each)}`);
  return { otherwise: `not all are alike: ${outcomeOf(seen)}, but ${differing.join('; ')}` };
}

function outcomeOf(seen: Seen<'modelRefusals'>): string {
  if ('alternative' in seen) return seen.alternative;
  return 'otherwise' in seen ? seen.otherwise : seen.unseen;
}
