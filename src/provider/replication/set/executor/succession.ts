import { randomUUID } from 'node:crypto';
import { SWITCHOVER_POLICY } from '../../../../model';
import { phrase } from '../../../../model/messages';
import { DiagnosticError } from '../../../../plugin';
import { MessageError } from '../../../messages';
import { mayHaveTakenEffect } from '../../shared/member';
import { announcedElsewhere, idOf, isAmong, quote, type Promote, type World } from '../planner';
import type { Fleet } from './fleet';
import { PLAN_AGAIN } from './messages';
import {
  announcementIn,
  receiptIn,
  textOfAnnouncement,
  textOfReceipt,
  type Announcement,
} from './switchover-policy';

/** Someone else moves the primary, and decides which cluster it is. */
export class RivalError extends MessageError {}

/**
 * The successor is announced on the primary before it steps down, in an ACL policy, which all
 * clusters of the set receive with its other data. Afterwards nobody can change it, as there is no
 * primary: however many applies are under way, all of them find the same name.
 */
export class Succession {
  readonly #apply = randomUUID();
  readonly #fleet: Fleet;
  /**
   * The primary on which this apply has announced a successor, also by a request whose answer was
   * lost.
   */
  #announcedOn: string | undefined;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** Announces a successor on the primary. */
  async announce(primary: string, successor: string, world: World): Promise<void> {
    const announcement = { id: idOf(successor, world), name: successor, apply: this.#apply };
    try {
      await this.#write(primary, 'announce the successor on', textOfAnnouncement(announcement));
    } catch (error) {
      if (mayHaveTakenEffect(error)) this.#announcedOn = primary;
      throw error;
    }
    this.#announcedOn = primary;
  }

  /**
   * Checks that no other apply has replaced the announcement of this one. Nobody can replace it once the primary
   * has stepped down.
   *
   * @throws RivalError if another apply has replaced it; DiagnosticError if it cannot be read.
   */
  async requireAnnounced(): Promise<void> {
    if (this.#announcedOn === undefined) return;
    const found = await readAnnouncement(this.#fleet, this.#announcedOn);
    if (found?.apply === this.#apply) return;
    const error = this.#rival(this.#announcedOn, found);
    this.#announcedOn = undefined;
    throw error;
  }

  /**
   * Whether this apply has announced a successor, also by a request whose answer was lost, and the
   * announcement was neither replaced nor withdrawn.
   */
  get hasAnnounced(): boolean {
    return this.#announcedOn !== undefined;
  }

  /**
   * Takes back what this apply has announced. An announcement that cannot be deleted is replaced by
   * the next switchover.
   */
  async withdraw(primary: string): Promise<void> {
    try {
      const member = this.#fleet.member(primary);
      await member.call('delete the announcement of the successor on', async (_, client) => {
        const policy = (await client.policies.acl.read(SWITCHOVER_POLICY))?.data.policy;
        const isOurs = announcementIn(policy) !== undefined || receiptIn(policy) !== undefined;
        if (isOurs) await client.policies.acl.delete(SWITCHOVER_POLICY);
      });
      this.#announcedOn = undefined;
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      this.#fleet.log.warn(
        `${this.#fleet.title}: the ACL policy ${SWITCHOVER_POLICY} is left: ${error.message}`,
      );
    }
  }

  /**
   * Notes on the new primary that it has all that its predecessors took. Their data does not change until they follow it:
   * until then its digest shows whether they have written anything since.
   */
  async acknowledge(primary: string, roots: Readonly<Record<string, string>>, world: World): Promise<void> {
    const predecessors = Object.entries(roots).map(([name, root]) => ({ id: idOf(name, world), root }));
    const receipt = { primary: idOf(primary, world), predecessors };
    try {
      await this.#write(primary, 'note the predecessors of', textOfReceipt(receipt));
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      this.#fleet.log.warn(`${this.#fleet.title}: ${error.message}`);
    }
  }

  /**
   * Checks that a cluster is the one that was announced.
   *
   * @param members all clusters of the set.
   * @param steppedDown whether this apply demoted the last primary.
   * @returns whether a successor was announced. Other tools do not announce one.
   * @throws DiagnosticError if it is another one.
   */
  async requireSuccessor(
    { cluster, predecessors }: Promote,
    {
      members,
      world,
      steppedDown,
    }: { readonly members: readonly string[]; readonly world: World; readonly steppedDown: boolean },
  ): Promise<boolean> {
    const found = await readAnnouncement(this.#fleet, cluster);
    if (found === undefined) return false;
    if (found.apply === this.#apply || found.id === idOf(cluster, world)) return true;
    // It was announced when the last primary took over itself.
    if (predecessors.some((name) => found.id === idOf(name, world))) return false;
    if (!isAmong(found, members, world)) throw this.#stranger(cluster, found);
    // The last primary, which loses nothing: a person wants it back.
    if (predecessors.length === 0 && !steppedDown) return false;
    throw this.#rival(cluster, found);
  }

  async #write(primary: string, verb: string, policy: string): Promise<void> {
    await this.#fleet
      .member(primary)
      .call(verb, (_, client) => client.policies.acl.write(SWITCHOVER_POLICY, { policy }));
  }

  /** The plan refuses this, too, where the announcement could be read. */
  #stranger(cluster: string, found: Announcement): RivalError {
    const refusal = announcedElsewhere(cluster, found);
    return new RivalError({ ...refusal, summary: phrase`${this.#fleet.title}: ${refusal.summary}` });
  }

  #rival(cluster: string, found: Announcement | undefined): RivalError {
    const other = found === undefined ? 'no cluster any more' : quote(found.name);
    return new RivalError({
      path: ['primary'],
      summary: `${this.#fleet.title}: another apply is changing the primary of this set at the same time`,
      details: `The ACL policy ${quote(SWITCHOVER_POLICY)} on ${quote(cluster)} names ${other} as the cluster that takes over.`,
      cures: phrase`wait until the other apply has ended, then ${PLAN_AGAIN}. Manage a set in one state only. If no other
            apply is running and the set has no primary, set primary to the last one and apply: nothing is lost.`,
    });
  }
}

/** @throws DiagnosticError if it cannot be read. */
export async function readAnnouncement(fleet: Fleet, cluster: string): Promise<Announcement | undefined> {
  const response = await fleet
    .member(cluster)
    .call('read the announcement of the successor on', (_, client) =>
      client.policies.acl.read(SWITCHOVER_POLICY),
    );
  return announcementIn(response?.data.policy);
}
