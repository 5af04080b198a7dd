import type { ClusterView } from '../cluster-view';
import { primaryOf, walDistance } from '../replication';

interface Reading {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly behind: Readonly<Record<string, number>>;
}

/** How many readings are kept: an hour of them, every 5 seconds. */
const MOST_READINGS = 720;

/** How far secondaries were behind their primaries, over time. */
export class Distances {
  #readings: readonly Reading[] = [];

  add(time: number, clusters: readonly ClusterView[]): void {
    const behind = clusters.flatMap((cluster) => {
      const { name, replication: status } = cluster;
      const primary = primaryOf(cluster, clusters);
      return status?.mode === 'secondary' && primary ? [[name, walDistance(status, primary)] as const] : [];
    });
    this.#readings = [...this.#readings, { time, behind: Object.fromEntries(behind) }].slice(-MOST_READINGS);
  }

  /** The readings by cluster. A value is null if the distance was not known. */
  table(): object {
    const names = [...new Set(this.#readings.flatMap(({ behind }) => Object.keys(behind)))].sort();
    return {
      times: this.#readings.map(({ time }) => time),
      clusters: names.map((name) => ({
        name,
        behind: this.#readings.map(({ behind }) => (Object.hasOwn(behind, name) ? behind[name] : null)),
      })),
    };
  }
}
