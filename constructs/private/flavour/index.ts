// The flavour of this package. In the package for CDK Terrain, every "cdktf" is written with an
// "n".
export { FLAVOUR } from './cdktf';
