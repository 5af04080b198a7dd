import { GROUP_POLICY_MODES } from '../../model';
import type { Storage } from '../core/primitives/storage';
import { ROOT_NAMESPACE } from '../core/stores/namespace-store';
import { GROUP_POLICY_APPLICATION } from './declarations';
import { storedValues } from './stored';

/** Whether the policies of a group apply to tokens of all namespaces. */
export function areGroupsForAllNamespaces(storage: Storage): boolean {
  const stored = storedValues({ storage }, GROUP_POLICY_APPLICATION, ROOT_NAMESPACE);
  return stored?.['group_policy_application_mode'] === GROUP_POLICY_MODES[1];
}
