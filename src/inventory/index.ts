/** The objects that exist on a cluster: the lists that `terraform query` and `adopt` show. */
export { namespacesBelow, tooManyNamespaces } from './namespace-tree';
export {
  findAclPolicies,
  findAuditDevices,
  findAutoSnapshots,
  findEgpPolicies,
  findManagedKeys,
  findNamespaces,
  findRgpPolicies,
  type Find,
  type FoundObject,
} from './objects';
