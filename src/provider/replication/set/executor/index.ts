export { Fleet, type SetTitle } from './fleet';
export { observe } from './observe';
export {
  TOKEN_DELIVERIES,
  type Limits,
  type PrimarySettings,
  type SecondarySettings,
  type SetSettings,
  type TokenDelivery,
} from './settings';
export { walk } from './walk';
