export type { Cluster } from './cluster';
export { Clusters } from './clusters';
export { healthOf } from './health';
