import type { Readable } from 'node:stream';
import { expectTypeOf, it } from 'vitest';
import type {
  DownloadedFile,
  DownloadResult,
  HostingClient,
  HostingDownloadOptions,
  HostingRequestOptions,
} from '../../src/hosting/index.js';

declare const hosting: HostingClient;
const asset = { owner: 'acme', repo: 'rocket', id: 1 };

// These functions are never called. Only the compiler checks them.
const calls = {
  none: () => hosting.releases.downloadAsset(asset),
  options: (options: HostingRequestOptions) => hosting.releases.downloadAsset(asset, options),
  stream: () => hosting.releases.downloadAsset(asset, { as: 'stream' }),
  web: () => hosting.releases.downloadAsset(asset, { as: 'web', retry: false }),
  bytes: () => hosting.releases.downloadAsset(asset, { as: 'bytes' }),
  file: () =>
    hosting.releases.downloadAsset(asset, {
      to: 'rocket.zip',
      onProgress: ({ received, total }) => received / (total ?? 1),
    }),
  maybe: (options: { readonly as?: 'web' }) => hosting.releases.downloadAsset(asset, options),
  any: (options: HostingDownloadOptions) => hosting.releases.downloadAsset(asset, options),
  // @ts-expect-error there is no option with this name
  typo: () => hosting.releases.downloadAsset(asset, { to: 'rocket.zip', onprogress: () => 1 }),
  // @ts-expect-error `as` doesn't accept this value
  word: () => hosting.releases.downloadAsset(asset, { as: 'blob' }),
};

it('downloadAsset() returns a type that depends on the options', () => {
  expectTypeOf<Awaited<ReturnType<typeof calls.none>>>().toEqualTypeOf<Readable>();
  expectTypeOf<Awaited<ReturnType<typeof calls.options>>>().toEqualTypeOf<Readable>();
  expectTypeOf<Awaited<ReturnType<typeof calls.stream>>>().toEqualTypeOf<Readable>();
  expectTypeOf<Awaited<ReturnType<typeof calls.web>>>().toEqualTypeOf<ReadableStream<Uint8Array>>();
  expectTypeOf<Awaited<ReturnType<typeof calls.bytes>>>().toEqualTypeOf<Uint8Array>();
  expectTypeOf<Awaited<ReturnType<typeof calls.file>>>().toEqualTypeOf<DownloadedFile>();
  expectTypeOf<Awaited<ReturnType<typeof calls.maybe>>>().toEqualTypeOf<DownloadResult>();
  expectTypeOf<Awaited<ReturnType<typeof calls.any>>>().toEqualTypeOf<DownloadResult>();
});
