export { applySeed, type SeededCluster } from './apply-seed';
export { clustersOf, readSeed, type Seed, SeedError, type SeedSet, type SeedWrite } from './seed';
