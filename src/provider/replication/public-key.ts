import { phrase } from '../../model/messages';
import { MessageError } from '../messages';
import { isStreaming, type VaultError } from '../../client';
import { PUBLIC_KEYS_SINCE, SECONDARY_PUBLIC_KEY } from '../../model';
import { definitions, string, type DiagnosticError } from '../../plugin';
import type { Clusters } from '../clusters';
import { onCluster, serverErrorOf } from '../objects';
import { memberId, MEMBER_LOCATION } from './shared/location';
import { StandaloneMember } from './shared/standalone-member';

const { ephemeralResource } = definitions<Clusters>();

const ATTRIBUTES = {
  ...MEMBER_LOCATION,
  secondary_public_key: string({
    computed: true,
    description:
      'The public key, for `vaultadmin_perf_replication_secondary_token`. Null if the cluster already follows a ' +
      'primary and needs no token.',
  }),
};

/** The ephemeral resource of a secondary's public key, from `secondary/generate-public-key`. */
export const PUBLIC_KEY_EPHEMERAL_RESOURCE = ephemeralResource<typeof ATTRIBUTES>({
  name: SECONDARY_PUBLIC_KEY.name,
  schema: {
    description:
      `${SECONDARY_PUBLIC_KEY.doc} The private half stays in the cluster, which keeps only the latest one: the token must ` +
      'be used in the same run of Terraform.',
    attributes: ATTRIBUTES,
  },

  async open({ config }, context) {
    const cluster = context.providerData.knownNameOf(config.cluster, SECONDARY_PUBLIC_KEY.title, context);
    const member = new StandaloneMember(SECONDARY_PUBLIC_KEY, cluster, context);
    const location = { id: memberId(cluster), cluster };
    const status = await member.settled('create');
    if (isStreaming(status)) return { result: { ...location, secondary_public_key: null } };
    return { result: { ...location, secondary_public_key: await generate(member, context.signal) } };
  },
});

async function generate(member: StandaloneMember, signal: AbortSignal): Promise<string> {
  try {
    const { data } = await member.call('create', (replication) => replication.generatePublicKey({ signal }));
    return data.secondary_public_key;
  } catch (failure) {
    const cause = serverErrorOf(failure);
    if (cause?.code === 'unsupported_path') throw tooOld(member, cause);
    throw failure;
  }
}

function tooOld(member: StandaloneMember, cause: VaultError): DiagnosticError {
  return new MessageError(
    {
      summary: `cannot create ${onCluster(member.subject)}: the server does not support public keys`,
      details: [
        cause.message,
        `Public keys require server version ${PUBLIC_KEYS_SINCE} and the Enterprise edition.`,
      ],
      cures: phrase`upgrade the cluster. Or leave out the public key, to get a response-wrapped
        token: the secondary must then be able to reach the API address of the primary`,
    },
    { cause },
  );
}
