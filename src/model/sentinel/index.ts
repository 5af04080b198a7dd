export { findImbalance, type Imbalance } from './balance';
