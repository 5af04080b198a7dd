export { DataFolder } from './data-folder';
export { clusterStore, KEY_STORES } from './names';
