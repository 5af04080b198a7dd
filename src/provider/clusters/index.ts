export type { Cluster } from './cluster';
export { Clusters } from './clusters';
export { serverVersionOf } from './server-version';
