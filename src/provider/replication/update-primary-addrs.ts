import { phrase } from '../../model/messages';
import { MessageError } from '../messages';
import { REPLICATION_SECONDARY } from '../../model';
import { mayLoseDataByUpdatePrimary } from '../../model/replication/known-issues';
import {
  definitions,
  list,
  string,
  types,
  type Action,
  type ActionContext,
  type DiagnosticError,
} from '../../plugin';
import { healthOf, type Clusters } from '../clusters';
import { CLUSTER_DESCRIPTION, onCluster, type ObjectSubject } from '../objects';
import { follows } from './secondary/join';
import { StandaloneMember } from './shared/standalone-member';

/** The timeout in seconds until the secondary follows the primary again. */
const TIMEOUT = 120;

/**
 * The action that gives a secondary the address of its primary, for example after the primary moved
 * behind another load balancer.
 */
export const UPDATE_PRIMARY_ADDRS_ACTION: Action<Clusters> = definitions<Clusters>().action({
  name: 'perf_replication_update_primary_addrs',
  schema: {
    description:
      "Gives a secondary new addresses of its primary, and waits until the secondary follows the primary's log. The secondary keeps " +
      'its data. Use it if the primary is the same but is reached at another address; a replication set does it itself.',
    attributes: {
      cluster: string({ optional: true, description: `${CLUSTER_DESCRIPTION} The secondary.` }),
      addresses: list(types.string, {
        required: true,
        description:
          'Cluster addresses of the primary or of its nodes, such as `https://us.example.com:8201`. The secondary uses those that answer.',
      }),
    },
  },

  async invoke({ config: { cluster: given, addresses } }, context) {
    const cluster = context.providerData.knownNameOf(given, REPLICATION_SECONDARY.title, context);
    const member = new StandaloneMember(REPLICATION_SECONDARY, cluster, context);
    await requireSecondary(member, context);
    context.progress(
      `${onCluster(member.subject)}: setting the addresses of its primary to ${addresses.join(', ')}`,
    );
    await member.call('update', (calls) => calls.updatePrimary({ update_primary_addrs: addresses }));
    await follows(member, 'update', TIMEOUT);
    context.progress(`${onCluster(member.subject)}: it follows its primary`);
  },
});

async function requireSecondary(member: StandaloneMember, context: ActionContext<Clusters>): Promise<void> {
  const { subject } = member;
  const { mode } = await member.settled('update');
  if (mode !== 'secondary') throw notASecondary(subject, mode);
  const { version } = (await healthOf(member.name, subject.title, context)) ?? {};
  if (version !== undefined && mayLoseDataByUpdatePrimary(version)) throw mayLoseData(subject, version);
}

function notASecondary(subject: ObjectSubject, mode: string): DiagnosticError {
  return new MessageError({
    path: ['cluster'],
    summary: `${onCluster(subject)} cannot get other addresses of its primary`,
    received: `a cluster in mode ${JSON.stringify(mode)}`,
    allowed: 'a secondary',
    claims: ['nothing-changed'],
    cures: 'set cluster to the name of the secondary',
  });
}

function mayLoseData(subject: ObjectSubject, version: string): DiagnosticError {
  return new MessageError({
    summary: phrase`${onCluster(subject)} may lose data if it gets other addresses of its primary: its
      server has version ${version}`,
    details: 'Known issue of Vault, "update-primary data loss".',
    claims: ['nothing-changed'],
    cures: 'upgrade the secondary to 1.11.12, 1.12.9, 1.13.5, 1.14.1 or later first',
  });
}
