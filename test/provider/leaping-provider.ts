/** The provider on a clock that leaps over every wait. */
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

/** Starts the provider without TLS, on a clock that leaps together with the emulator's. */
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

/**
 * The provider with a given clock for its clients.
 *
 * @param options.dispatcher sends all requests in place of the clients' own connections.
 */
export function providerWith(options: { readonly clock: Clock; readonly dispatcher?: Dispatcher }): Provider {
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

/** Imports single modules: the package's index takes much longer to load, in every test file. */
function loadAgent(): typeof Agent {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the types are those of the index
  return require('undici/lib/dispatcher/agent') as typeof Agent;
}

/** Holds the clock still while a request is under way. */
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
