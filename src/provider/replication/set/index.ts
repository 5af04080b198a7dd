export { replicationSetResource } from './resource';
