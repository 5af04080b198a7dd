import { SYSTEM_CLOCK } from '../../client';
import type { AclCapability } from '../../model';
import { accessFor, RESOURCE_CALLS, type Access, type ResourceCall } from '../../model/access';
import { MessageError, report } from '../messages';
import type { PlanContext } from '../../plugin';
import type { Clusters } from '../clusters';
import { lacksRights, lacksRightsOfOther, rightsMissing, type Lack } from './messages';
import { perRun } from './per-run';
import type { RequestContext } from './request';
import type { ObjectSubject } from './subject';
import type { AttributeValues } from './values';

/** The changes of an object that require rights. */
type ChangeVerb = 'create' | 'update' | 'delete';

/**
 * Milliseconds in which the resources that Terraform plans at the same time are collected for one
 * request.
 */
const GATHERING = 20;
/**
 * Milliseconds without a further resource after which a plan sends the request before the time is
 * over. An apply always waits the whole time, so that a right that a later resource lacks stops the
 * first write.
 */
const PAUSE_IN_PLAN = 2;

/** Seconds for a look-up of rights. A plan does not wait long for optional data. */
const TIMEOUT = 5;

/**
 * A name that no object has. The rights on it are those on every name that the token's policies do
 * not mention.
 */
const ANY_NAME = 'vaultadmin-any-name';

/** A change of an object, with the rights that it needs. */
interface Need {
  readonly verb: ChangeVerb;
  readonly subject: ObjectSubject;
  /** Rights that this change needs. */
  readonly access: readonly Access[];
  /** Rights that every change of the object needs. */
  readonly always: readonly Access[];
}

/** The rights of the token in one namespace of a cluster, in one run of Terraform. */
class Rights {
  /**
   * The known rights by path; absent after a failure, since a server may refuse the look-up or not
   * support it.
   */
  #granted: Map<string, ReadonlySet<string>> | undefined = new Map();
  /** The changes that wait for the next request. */
  #gathered: Need[] = [];
  #coming: Promise<void> | undefined;
  readonly #lacks = new Map<string, Lack>();
  #reported = 0;
  #hasWritten = false;
  #refused: string | undefined;

  /**
   * Determines whether a change is allowed.
   *
   * @param pause the milliseconds without a further resource after which the request is sent.
   */
  async look(need: Need, context: RequestContext, pause: number): Promise<void> {
    while (this.#granted && !need.access.every((access) => this.#isKnown(access))) {
      // If a request is on its way, its answer may contain the rights, so the change is not added
      // to the next request yet.
      const isGathering = this.#coming === undefined || this.#gathered.length > 0;
      if (isGathering) this.#gathered.push(need);
      this.#coming ??= this.#ask(need.subject, context, pause);
      await this.#coming;
    }
    this.#note(need);
  }

  /** Returns the changes that are not allowed and were not returned before. */
  takeLacks(): readonly Lack[] {
    const lacks = [...this.#lacks.values()].slice(this.#reported);
    this.#reported += lacks.length;
    return lacks;
  }

  /**
   * Refuses a write that is not allowed. Before the first write, it refuses every write if any
   * known change is not allowed.
   *
   * @throws MessageError
   */
  admit({ verb, subject }: Need, namespace: string): void {
    const own = this.#lacks.get(`${verb} ${subject.id}`);
    if (own === undefined && (this.#hasWritten || this.#lacks.size === 0)) {
      this.#hasWritten = true;
      return;
    }
    if (this.#refused !== undefined) throw new MessageError(lacksRightsOfOther(verb, subject, this.#refused));
    this.#refused = subject.title;
    throw new MessageError(lacksRights(verb, subject, namespace, [...this.#lacks.values()]));
  }

  /** Whether the rights on a path are known, or the rights on any name in its place suffice. */
  #isKnown(access: Access): boolean {
    const ofAny = this.#granted?.get(anyNameIn(access.path));
    return this.#granted?.has(access.path) === true || (ofAny !== undefined && isGranted(ofAny, access));
  }

  #note({ verb, subject, access, always }: Need): void {
    const lacking = access.filter((each) => {
      const granted = this.#granted?.get(each.path);
      return granted !== undefined && !isGranted(granted, each);
    });
    if (lacking.length === 0) return;
    const rules = always.filter(({ path }) => lacking.some((each) => each.path === path));
    this.#lacks.set(`${verb} ${subject.id}`, { verb, title: subject.title, rules });
  }

  async #ask({ location, title }: ObjectSubject, context: RequestContext, pause: number): Promise<void> {
    const { providerData, diagnostics, log, mask, signal } = context;
    try {
      const { clock = SYSTEM_CLOCK } = providerData.readySettings(location.cluster)?.options ?? {};
      // `defer` is left out, because unknown rights are no reason to defer a resource.
      const client = await providerData.client(location, title, { diagnostics, log, mask, signal });
      const ends = clock.now() + GATHERING;
      for (let count = 0; count < this.#gathered.length && clock.now() < ends;) {
        count = this.#gathered.length;
        await new Promise<void>((resolve) => void clock.after(pause, resolve));
        // If this process was busy, further changes may have arrived and not been read yet.
        await new Promise(setImmediate);
      }
      const needs = this.#gathered;
      this.#gathered = [];
      const own = needs.flatMap(({ access }) => access.map(({ path }) => path));
      const paths = [...new Set([...own, ...own.map(anyNameIn)])];
      const answer = await client.system.capabilitiesSelf(paths, { signal, timeout: TIMEOUT });
      for (const path of paths) this.#granted?.set(path, new Set(answer[path]));
      for (const need of needs) this.#note(need);
    } catch (error) {
      log.debug('the rights of the token could not be looked up', { error: String(error) });
      this.#granted = undefined;
    } finally {
      this.#coming = undefined;
    }
  }
}

const rightsOf = perRun(() => new Rights());

/**
 * Reports in a plan that the token may not make a change. Changes that Terraform plans at the same
 * time share one request, and one message.
 */
export async function reportRights(
  verb: ChangeVerb,
  subject: ObjectSubject,
  values: AttributeValues,
  context: PlanContext<Clusters>,
): Promise<void> {
  const { providerData, diagnostics } = context;
  const { cluster, namespace } = subject.location;
  const settings = providerData.readySettings(cluster);
  const need = needOf(verb, subject, values);
  if (settings === undefined || need === undefined || settings.checkRights === 'apply_only') return;
  const rights = rightsOf(providerData, JSON.stringify([cluster, namespace]));
  await rights.look(need, context, PAUSE_IN_PLAN);
  const lacks = rights.takeLacks();
  if (lacks.length === 0) return;
  const severity = settings.checkRights === 'plan' ? 'error' : 'warning';
  report(
    diagnostics,
    severity,
    rightsMissing(subject, fullNamespace(settings.options.namespace, namespace), lacks, severity),
  );
}

/**
 * Refuses a change that the token may not make, before the first write.
 *
 * @throws MessageError with the policy rules for all known changes.
 */
export async function requireRights(
  verb: ChangeVerb,
  subject: ObjectSubject,
  values: AttributeValues,
  context: RequestContext,
): Promise<void> {
  const { cluster, namespace } = subject.location;
  const settings = context.providerData.readySettings(cluster);
  const need = needOf(verb, subject, values);
  if (settings === undefined || need === undefined) return;
  const rights = rightsOf(context.providerData, JSON.stringify([cluster, namespace]));
  await rights.look(need, context, GATHERING);
  rights.admit(need, fullNamespace(settings.options.namespace, namespace));
}

/** The methods of the calls that each change makes. */
const METHODS: Readonly<Record<ChangeVerb, readonly ResourceCall['method'][]>> = {
  create: ['GET', 'POST'],
  update: ['POST', 'PATCH'],
  delete: ['DELETE'],
};

function needOf(verb: ChangeVerb, subject: ObjectSubject, values: AttributeValues): Need | undefined {
  const calls = (RESOURCE_CALLS[subject.definition.name] ?? []).filter(
    ({ ifGiven }) => ifGiven === undefined,
  );
  const access = accessFor(
    calls.filter(({ method, toDelete, unlessGiven }) =>
      toDelete ? verb === 'delete' && values[unlessGiven ?? ''] !== true : METHODS[verb].includes(method),
    ),
    values,
  );
  // On some paths servers distinguish the capabilities `create` and `update`.
  const unneeded: AclCapability | undefined =
    verb === 'create' ? 'update' : verb === 'update' ? 'create' : undefined;
  const distinguishes = calls.some(({ creates }) => creates);
  const needed = access.map(({ path, capabilities }) => ({
    path,
    capabilities: distinguishes ? capabilities.filter((each) => each !== unneeded) : capabilities,
  }));
  return needed.length > 0 ? { verb, subject, access: needed, always: accessFor(calls, values) } : undefined;
}

function isGranted(granted: ReadonlySet<string>, { capabilities }: Access): boolean {
  return granted.has('root') || capabilities.every((each) => granted.has(each));
}

function anyNameIn(path: string): string {
  return `${path.slice(0, path.lastIndexOf('/'))}/${ANY_NAME}`;
}

function fullNamespace(own = '', below: string): string {
  return [own, below].filter((part) => part !== '').join('/');
}
