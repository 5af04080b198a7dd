import type { EventEmitter } from 'node:events';

/**
 * The milliseconds to wait for Terraform's first connection, and for another one after the last was
 * closed.
 */
const PATIENCE = { first: 60_000, next: 3_000 };
/** The milliseconds in which Terraform may receive the last answers and end the plugin. */
const LAST_ANSWERS = { idle: 1_000, busy: 10_000 };

/** The functions that are called before the process ends. */
interface EndHandlers {
  /** Awaited before the process ends, whatever the cause. */
  readonly cleanUp: () => Promise<void>;
  /**
   * Asks running calls to end.
   *
   * @returns whether there were any.
   */
  readonly stop: () => Promise<boolean>;
  /** Whether a call is running. */
  readonly isBusy: () => boolean;
}

/** Ends this process when Terraform has ended, even without a shutdown call. */
export function endWithTerraform({ cleanUp, stop, isBusy }: EndHandlers) {
  let isEnding = false;
  const end = async (): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    await cleanUp();
    process.exit(0);
  };

  // Ctrl-C reaches all processes of a terminal. Terraform decides how to react, and sends
  // StopProvider.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => void stopAndEnd());
  process.on('SIGHUP', () => void stopAndEnd());

  /**
   * Ends the running calls, then the process. When the system shuts down, Terraform is stopped as
   * well, and still has to receive the results.
   */
  async function stopAndEnd(): Promise<void> {
    const wasBusy = await stop();
    if (connections === 0) await end();
    else setTimeout(() => void end(), wasBusy ? LAST_ANSWERS.busy : LAST_ANSWERS.idle);
  }

  /**
   * Ends the calls of a Terraform that was killed. Nobody receives their results, and their further
   * changes would collide with the next command.
   */
  async function abandon(): Promise<void> {
    if (!isBusy()) return;
    await stop();
    if (connections === 0) await end();
  }

  let connections = 0;
  let waiting = setTimeout(() => void end(), PATIENCE.first);
  return {
    end,
    /** Must be called for each connection of Terraform. */
    connected: (connection: EventEmitter): void => {
      connections += 1;
      clearTimeout(waiting);
      connection.on('close', () => {
        connections -= 1;
        if (connections > 0) return;
        waiting = setTimeout(() => void end(), PATIENCE.next);
        void abandon();
      });
    },
  };
}
