import type { ClusterView } from '../cluster-view';
import { primaryOf, walDistance } from '../replication';

interface Reading {
  /** The time in milliseconds since 1970. */
  readonly time: number;
  readonly behind: Readonly<Record<string, number>>;
}

/** The maximum number of readings: an hour of them, every 5 seconds. */
const MOST_READINGS = 720;

/** The number of entries that secondaries lacked, over time. */
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

  /** Returns the readings by cluster. A value is null if the number was not known. */
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
