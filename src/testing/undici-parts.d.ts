// undici ships no types for its inner modules; these are the public classes.
declare module 'undici/lib/dispatcher/dispatcher.js' {
  import type { Dispatcher } from 'undici';

  const DispatcherClass: typeof Dispatcher;
  export default DispatcherClass;
}

declare module 'undici/lib/core/errors.js' {
  import type { errors } from 'undici';

  const all: typeof errors;
  export default all;
}
