// Which flavour this is: in the package for CDK Terrain, every "cdktf" is written with an "n".
export { FLAVOUR } from './cdktf';
