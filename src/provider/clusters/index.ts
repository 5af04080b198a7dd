export { Clusters } from './clusters';
