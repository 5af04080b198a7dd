export type { Cluster } from './cluster';
export { Clusters } from './clusters';
