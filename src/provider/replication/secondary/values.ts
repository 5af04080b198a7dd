import type { ReplicationSecondaryStatus } from '../../../client';
import {
  isKnown,
  type AppliedConfig,
  type Config,
  type Plan,
  type SchemaOf,
  type State,
} from '../../../plugin';
import type { SECONDARY_ATTRIBUTES, SECONDARY_BLOCKS } from '../shared/attributes';

type Secondary = SchemaOf<typeof SECONDARY_ATTRIBUTES, typeof SECONDARY_BLOCKS>;

/** The configuration of a secondary in a plan. */
export type Configured = Config<Secondary>;
/** The configuration of a secondary in an apply, with its token. */
type Applied = AppliedConfig<Secondary>;
/** The planned values of a secondary. */
export type Planned = Plan<Secondary>;
/** The values of a secondary in the state. */
export type InState = State<Secondary>;

/** The values that an import cannot read. */
export const NOT_READ = {
  primary_api_addr: '',
  ca_file: '',
  ca_path: '',
  update_primary_addrs: [],
} as const;

/** Returns the state's values from the status of a secondary. */
export function stateFrom({ secondary_id, cluster_id, mode }: ReplicationSecondaryStatus) {
  return { secondary_id, cluster_id, mode };
}

export function tokenOf({ token, token_wo }: Applied): string | null {
  return token_wo ?? token;
}

/** Whether it is certain in the plan that the token for a join is missing. */
export function lacksToken({ token, token_wo }: Configured): boolean {
  return (token === null && token_wo === null) || token === '' || token_wo === '';
}

/** Whether the token differs from the token that was used. */
export function renewsToken(state: InState, { token, token_wo_version }: Configured | Planned): boolean {
  const another = token !== null && token !== state.token;
  return another || (token_wo_version !== null && token_wo_version !== state.token_wo_version);
}

/** Whether the addresses of the primary are changed. */
export function movesPrimary(
  state: InState,
  { update_primary_addrs: addresses }: Configured | Planned,
): boolean {
  if (!isKnown(addresses) || addresses === null) return !isKnown(addresses);
  return addresses.length > 0 && addresses.join() !== state.update_primary_addrs.join();
}

/** Whether the confirmation of data loss is new, so that it was not used for an earlier join. */
export function confirmsAnew(state: InState, { confirm_data_loss }: Configured | Planned): boolean {
  return confirm_data_loss === state.cluster && state.confirm_data_loss !== state.cluster;
}
