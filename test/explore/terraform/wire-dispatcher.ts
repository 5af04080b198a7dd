import { Dispatcher } from 'undici';
import type { Received, Sent } from '../../provider/replication/set/support/wire';

/** Sends requests without sockets. */
export class WireDispatcher extends Dispatcher {
  /** @param wire makes a request, and calls `start` before the request can take effect */
  constructor(private readonly wire: (message: Sent, start: () => void) => Promise<Received>) {
    super();
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    void this.#send(options, handler);
    return true;
  }

  async #send(
    { origin, method, path, headers, body }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): Promise<void> {
    const message: Sent = {
      origin: String(origin),
      method,
      path,
      headers: headers as Readonly<Record<string, string>>,
      ...(typeof body === 'string' && { body }),
    };
    try {
      const answer = await this.wire(message, () => handler.onRequestStart?.(CONTROLLER, undefined));
      handler.onResponseStart?.(CONTROLLER, answer.status, answer.headers, '');
      handler.onResponseData?.(CONTROLLER, Buffer.from(answer.body));
      handler.onResponseEnd?.(CONTROLLER, {});
    } catch {
      handler.onResponseError?.(
        CONTROLLER,
        Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
      );
    }
  }
}

const CONTROLLER = { abort: () => {} } as unknown as Dispatcher.DispatchController;
