export { DIALECTS, fromProduct, toProduct, type Dialect, type Translation } from './dialect';
