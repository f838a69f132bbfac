import type { Dispatcher } from 'undici';

/**
 * A dispatcher that lets nothing out but what reads. The doctor calls no method that writes; this is
 * for the day that one is named as if it read. A session of the support API is opened by POST.
 */
export function readOnly(over: Dispatcher): Dispatcher {
  return over.compose((dispatch) => (options, handler) => {
    const { method, path } = options;
    const reads = method === 'GET' || method === 'HEAD';
    if (!reads && !/\/authenticate(?:\?|$)/.test(path)) {
      throw new Error(`the doctor only reads: ${method} was not sent`);
    }
    return dispatch(options, handler);
  });
}
