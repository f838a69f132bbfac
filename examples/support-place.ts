// Where the support examples go to: the server that TRIFORGE_SUPPORT_URL, TRIFORGE_USER_NAME,
// TRIFORGE_API_KEY and TRIFORGE_PASSWORD name, or else an emulator in this process.
import { SupportClient } from 'triforge/support';
import { createEmulator, supportSeed } from 'triforge/testing';

export interface Place extends AsyncDisposable {
  readonly support: SupportClient;
}

export function connect(): Place {
  const { TRIFORGE_SUPPORT_URL } = process.env;
  if (TRIFORGE_SUPPORT_URL !== undefined) {
    const support = new SupportClient({
      baseUrl: TRIFORGE_SUPPORT_URL,
      auth: {
        userName: required('TRIFORGE_USER_NAME'),
        apiKey: required('TRIFORGE_API_KEY'),
        password: required('TRIFORGE_PASSWORD'),
      },
    });
    return { support, [Symbol.asyncDispose]: () => support.close() };
  }
  const emulator = createEmulator();
  const support = new SupportClient({
    baseUrl: 'http://support.test/api/v2/',
    auth: supportSeed,
    dispatcher: emulator.dispatcher(),
  });
  return { support, [Symbol.asyncDispose]: () => emulator.close() };
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name}: expected beside TRIFORGE_SUPPORT_URL`);
  return value;
}
