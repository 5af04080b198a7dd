export type { Dialect } from './dialect';
