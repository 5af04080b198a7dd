export { Fleet } from './fleet';
export { observe } from './observe';
export { type SecondarySettings, type SetSettings } from './settings';
export { walk } from './walk';
