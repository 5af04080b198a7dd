export { Fleet } from './fleet';
export { observe } from './observe';
export { checkRights } from './preflight';
export { type SecondarySettings, type SetSettings } from './settings';
export { walk } from './walk';
