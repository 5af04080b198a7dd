import type { OperationHandler, LogicalRequest, LogicalResponse } from '../../core/backend';
import { openRefusal } from '../../core/errors';
import type { Json } from '../../core/primitives/json';
import type { PrimaryConnection } from './primary-connection';
import type { Site } from '../site';

const LATE =
  'The primary has made the change, but it has not arrived at this secondary yet: reads here may not show it.';

/** Forwards the requests of a secondary that only its primary may handle. */
export class Forwarding {
  #waiting: (() => void)[] = [];

  readonly #site: Site;
  readonly #connection: () => PrimaryConnection | undefined;
  /** The primary's address; empty if the secondary does not know it. */
  readonly #primaryAddress: () => string;

  constructor(
    site: Site,
    connection: () => PrimaryConnection | undefined,

    primaryAddress: () => string,
  ) {
    this.#site = site;
    this.#connection = connection;
    this.#primaryAddress = primaryAddress;
  }

  /**
   * Forwards a request.
   *
   * @throws LogicalError with the primary's refusal, or 503 if it cannot be reached.
   */
  forward(request: LogicalRequest): ReturnType<OperationHandler> {
    const connection = this.requirePrimary();
    const response = connection.primary.handle(request);
    return response instanceof Promise
      ? response.then((awaited) => this.#whenArrived(connection, awaited))
      : this.#whenArrived(connection, response);
  }

  /** Writes data that a login creates for the whole set, such as an entity, to the primary. */
  write(key: string, value: Json): void {
    this.requirePrimary().primary.write(key, value);
  }

  /** Must be called when writes arrived, and when the connection ended. */
  arrived(): void {
    for (const look of [...this.#waiting]) look();
  }

  /** @throws LogicalError if there is no connection to a primary. */
  requirePrimary(): PrimaryConnection {
    const connection = this.#connection();
    if (connection === undefined) {
      throw openRefusal('forwardingFailed', this.#primaryAddress());
    }
    return connection;
  }

  /**
   * Answers when the secondary has received the primary's writes; if that takes too long, with a
   * warning.
   */
  #whenArrived(
    connection: PrimaryConnection,
    response: LogicalResponse | undefined,
  ): ReturnType<OperationHandler> {
    const { primary, link } = connection;
    const { ms: patienceMs } = this.#site.host.server.assumed('forwardingPatience');
    const wal = primary.lastWal();
    const late = () => ({ ...response, warnings: [...(response?.warnings ?? []), LATE] });
    const lag = this.#site.network.lag(this.#site.name);
    if (lag === 0) link.proceed();
    if (link.hasApplied(wal)) return response;
    // If the delay of the network is longer than the limit, the answer is sent immediately.
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
