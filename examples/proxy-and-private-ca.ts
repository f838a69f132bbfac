// Use a proxy and a private certificate
//
// Uses the proxy in `HTTPS_PROXY`, unless `NO_PROXY` includes the server, and trusts the company's certificate
// authority in addition to the public authorities. The client still verifies certificates. If a certificate's
// issuer is unknown, the error explains what to do. See [Proxies and TLS](../docs/proxies-and-tls.md).
//
//     HTTPS_PROXY=http://user:password@proxy.example.com:3128 COMPANY_CA=company-ca.pem \
//       TRIFORGE_BASE_URL=https://code.example.com/api/v3/ npx tsx node_modules/triforge/examples/proxy-and-private-ca.ts
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { ConnectionError, HostingClient } from 'triforge';

const { COMPANY_CA } = process.env;

await using hosting = HostingClient.fromEnv({
  proxy: 'env',
  tls: COMPANY_CA ? { ca: [...rootCertificates, readFileSync(COMPANY_CA)] } : undefined,
});

try {
  const { core } = await hosting.rateLimit.get();
  console.log(`Connected: ${core?.remaining} requests left`);
} catch (error) {
  if (!(error instanceof ConnectionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
