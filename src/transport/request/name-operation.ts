import { InvalidRequestError } from '../../errors/index.js';

/** Adds the operation to the message of an input error whose message doesn't start with it. */
export function nameOperation(error: unknown, operation: string | undefined): unknown {
  if (operation === undefined || !(error instanceof InvalidRequestError)) return error;
  if (error.message.startsWith(`${operation}: `)) return error;
  const { message, field } = error;
  const cause = 'cause' in error ? { cause: error.cause } : undefined;
  return new InvalidRequestError(`${operation}: ${message}`, { field, ...cause });
}
