/**
 * What is pending, or a rejection when it takes too long. A process that was busy looks at its sockets
 * once more before it says so.
 */
export function within<T>(ms: number, pending: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(new Error(`no answer within ${ms} ms`));
    const timer = setTimeout(() => setImmediate(() => setImmediate(give)), ms);
    pending.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
