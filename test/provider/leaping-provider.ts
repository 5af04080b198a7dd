/** The provider without waits: whatever it waits for comes at once, by a clock that leaps there. */
import { report } from '../../src/provider/messages';
import type { Agent, Dispatcher } from 'undici';
import type { Clock } from '../../src/client';
import type { Emulator } from '../../src/emulator';
import { isKnown, type Provider } from '../../src/plugin';
import { PROVIDER } from '../../src/provider';
import { Clusters } from '../../src/provider/clusters';
import { resolveConfiguration, type Configuration } from '../../src/provider/configuration';
import { LeapingClock } from './leaping-clock';

export interface LeapingProvider {
  readonly provider: Provider;
  readonly close: () => Promise<void>;
}

/** The provider on a clock that leaps, and the emulator's with it. It speaks no TLS. */
export function leapingProvider({ clock: emulated }: Emulator): LeapingProvider {
  const clock = new LeapingClock((milliseconds) => emulated.advance(milliseconds));
  const agent = new (loadAgent())();
  return {
    provider: providerWith({ clock, dispatcher: agent.compose(counting(clock)) }),
    async close() {
      clock.stop();
      await agent.destroy();
    },
  };
}

/** The provider whose clients have a clock of their own, and send requests by a dispatcher. */
export function providerWith(options: { readonly clock: Clock; readonly dispatcher: Dispatcher }): Provider {
  return {
    ...PROVIDER,
    configure({ config }, { diagnostics, mask }) {
      const clusters = resolveConfiguration(config as Configuration, process.env, (message) =>
        report(diagnostics, 'error', message),
      );
      const changed = isKnown(clusters)
        ? clusters.map((each) => ({ ...each, options: { ...each.options, ...options } }))
        : clusters;
      return new Clusters(changed, { env: process.env, mask });
    },
  };
}

/** The package's index takes much longer to load, in every file of tests. */
function loadAgent(): typeof Agent {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the types are those of the index
  return require('undici/lib/dispatcher/agent') as typeof Agent;
}

/** Lets no time pass while a request is under way. */
function counting(clock: LeapingClock): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    let end!: () => void;
    void clock.during(() => new Promise<void>((resolve) => (end = resolve)));
    return dispatch(options, {
      onRequestStart: (...args) => handler.onRequestStart?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd(...args) {
        handler.onResponseEnd?.(...args);
        end();
      },
      onResponseError(...args) {
        handler.onResponseError?.(...args);
        end();
      },
    });
  };
}
