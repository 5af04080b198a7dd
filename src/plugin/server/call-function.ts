import { Defect, failedAssertion } from '../defect';
import { visibleLines } from '../../text';
import { ArgumentError, type ProviderFunction } from '../author/function';
import { valueCodec } from '../wire/dynamic-value';
import type { Handler } from './handler';
import type { FunctionError } from '../wire/generated/tfplugin6';
import type { ProviderServer } from './provider-server';

export const callFunction: Handler<'callFunction'> = async (server, request) => {
  const definition = server.find('functions', request.name);
  if (!definition) throw new Defect(`the provider ${server.provider.name} has no ${request.name}`);
  try {
    const args = request.arguments.map((value, i) =>
      valueCodec(parameterAt(definition, i).type).decode(value),
    );
    return { result: valueCodec(definition.returns).encode(await definition.call(...args)) };
  } catch (error) {
    return { error: functionError(error, server) };
  }
};

function parameterAt({ parameters, variadic }: ProviderFunction, position: number) {
  return parameters[position] ?? variadic!;
}

function functionError(error: unknown, { secrets, log }: ProviderServer): FunctionError {
  const shown = (text: string) => visibleLines(secrets.hide(text));
  if (error instanceof ArgumentError) {
    return { text: shown(error.message), functionArgument: error.position };
  }
  log('error', 'a function failed', { error });
  return { text: shown(failedAssertion(error)) };
}
