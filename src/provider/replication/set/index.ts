export { REPLICATION_SET_RESOURCE } from './resource';
