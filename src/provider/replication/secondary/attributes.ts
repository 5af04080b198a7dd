import { REPLICATION_SECONDARY } from '../../../model';
import { string, useStateForUnknown, type attribute } from '../../../plugin';
import { resourceFields } from '../../objects';
import { MEMBER_LOCATION } from '../shared/location';
import { timeoutsAttribute } from '../shared/timeouts';

/** Seconds to wait for a cluster. The first copy of all data takes its time. */
export const TIMEOUTS = { create: 1800, update: 600, delete: 120 };

type Text = ReturnType<typeof attribute<string>>;
type Defaulted = ReturnType<typeof attribute<string, false, false, string>>;

interface FieldAttributes {
  readonly token: Text;
  readonly token_wo: ReturnType<typeof attribute<string, false, false, undefined, true>>;
  readonly token_wo_version: ReturnType<typeof attribute<number>>;
  readonly primary_api_addr: Defaulted;
  readonly ca_file: Defaulted;
  readonly ca_path: Defaulted;
  readonly update_primary_addrs: ReturnType<
    typeof attribute<readonly string[], false, false, readonly string[]>
  >;
}

/** The attributes of a secondary. */
export const SECONDARY_ATTRIBUTES = {
  ...MEMBER_LOCATION,
  ...(resourceFields(REPLICATION_SECONDARY) as unknown as FieldAttributes),
  confirm_data_loss: string({
    optional: true,
    description:
      'The name of the cluster, to confirm that all it holds may be lost. Needed to join where it holds anything: ' +
      'secrets engines, auth methods, policies or namespaces. It counts once: a cluster that left the set outside of ' +
      'Terraform joins again only after it was left out, and set anew.',
  }),
  secondary_id: string({
    computed: true,
    planModifiers: [useStateForUnknown()],
    description: 'The id that the activation token was issued under. Empty after a demotion.',
  }),
  cluster_id: string({
    computed: true,
    planModifiers: [useStateForUnknown()],
    description: 'Id of the replication set.',
  }),
  mode: string({
    computed: true,
    planModifiers: [useStateForUnknown()],
    description: 'What the cluster is: `secondary`, unless that was changed outside of Terraform.',
  }),
  timeouts: timeoutsAttribute(TIMEOUTS),
};
