/** The objects that exist on a cluster: the lists that `terraform query` and `adopt` show. */
export { namespacesBelow, tooManyNamespaces } from './namespaces';
export {
  findAclPolicies,
  findAuditDevices,
  findAutoSnapshots,
  findEgpPolicies,
  findManagedKeys,
  findNamespaces,
  findRgpPolicies,
  type Find,
  type Found,
} from './objects';
