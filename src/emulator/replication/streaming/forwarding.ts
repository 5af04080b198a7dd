import type { Handler, LogicalRequest, LogicalResponse } from '../../core/backend';
import { openRefusal } from '../../core/errors';
import type { Json } from '../../core/primitives/json';
import type { Connection } from './connection';
import type { Site } from '../site';

const LATE =
  'The primary has made the change, but it has not arrived at this secondary yet: reads here may not show it.';

/** Passes on to the primary what a secondary may not write itself. */
export class Forwarding {
  #waiting: (() => void)[] = [];

  readonly #site: Site;
  readonly #connection: () => Connection | undefined;
  /** As the secondary knows it; empty if it knows none. */
  readonly #primaryAddress: () => string;

  constructor(
    site: Site,
    connection: () => Connection | undefined,

    primaryAddress: () => string,
  ) {
    this.#site = site;
    this.#connection = connection;
    this.#primaryAddress = primaryAddress;
  }

  /** @throws LogicalError with the primary's refusal, or 503 where it is out of reach. */
  forward(request: LogicalRequest): ReturnType<Handler> {
    const connection = this.#require();
    const response = connection.primary.handle(request);
    return response instanceof Promise
      ? response.then((awaited) => this.#whenArrived(connection, awaited))
      : this.#whenArrived(connection, response);
  }

  /** Writes to the primary what a login here has to leave behind for all clusters. */
  write(key: string, value: Json): void {
    this.#require().primary.write(key, value);
  }

  /** To be told when something arrived, and when nothing more will. */
  arrived(): void {
    for (const look of [...this.#waiting]) look();
  }

  #require(): Connection {
    const connection = this.#connection();
    if (connection === undefined) {
      throw openRefusal('forwardingFailed', this.#primaryAddress());
    }
    return connection;
  }

  /** Answers once the secondary has what the primary wrote, or with a warning where that takes too long. */
  #whenArrived(connection: Connection, response: LogicalResponse | undefined): ReturnType<Handler> {
    const { primary, link } = connection;
    const { ms: patienceMs } = this.#site.host.server.assumed('forwardingPatience');
    const wal = primary.lastWal();
    const late = () => ({ ...response, warnings: [...(response?.warnings ?? []), LATE] });
    const lag = this.#site.network.lag(this.#site.name);
    if (lag === 0) link.proceed();
    if (link.hasApplied(wal)) return response;
    // What surely takes longer is not waited for.
    if (lag === 'paused' || lag > patienceMs) return late();
    return new Promise((resolve) => {
      const finish = (answer: LogicalResponse | undefined) => {
        timer.cancel();
        this.#waiting = this.#waiting.filter((each) => each !== look);
        resolve(answer);
      };
      const look = () => {
        if (link.hasApplied(wal)) finish(response);
        else if (this.#connection() !== connection) finish(late());
      };
      const timer = this.#site.host.clock.schedule(patienceMs, () => finish(late()));
      this.#waiting.push(look);
    });
  }
}
