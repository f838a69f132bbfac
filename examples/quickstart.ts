// The main job in one file: iterate over lists, write, handle typed errors. Runs against the bundled
// emulator: `npm run quickstart`. With TRIFORGE_BASE_URL, TRIFORGE_TOKEN, TRIFORGE_VENDOR and
// TRIFORGE_REPO (owner/name) set, its reading part runs against a real server.
import { HostingClient, isTriforgeError } from 'triforge';
import { createEmulator, seeded } from 'triforge/testing';

interface Place {
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly vendor: string;
  readonly owner: string;
  readonly repo: string;
}

function realServer(): Place | undefined {
  const { TRIFORGE_BASE_URL, TRIFORGE_TOKEN, TRIFORGE_VENDOR, TRIFORGE_REPO } = process.env;
  if (TRIFORGE_BASE_URL === undefined) return undefined;
  const [owner, repo] = (TRIFORGE_REPO ?? '').split('/');
  if (!owner || !repo) throw new Error('TRIFORGE_REPO: expected owner/name');
  const vendor = TRIFORGE_VENDOR ?? 'service';
  return { baseUrl: TRIFORGE_BASE_URL, token: TRIFORGE_TOKEN, vendor, owner, repo };
}

function connect(place: Place): HostingClient {
  const { baseUrl, vendor, token } = place;
  const auth = token === undefined ? undefined : ({ type: 'token', token } as const);
  return new HostingClient({ baseUrl, vendor, auth, userAgent: 'quickstart' });
}

async function read(hosting: HostingClient, { owner, repo }: Place): Promise<void> {
  console.log('\n# Every pull request, page after page');
  let pulls = 0;
  for await (const pull of hosting.pulls.list({ owner, repo, state: 'all', per_page: 80 })) {
    pulls += 1;
    if (pulls <= 3) console.log(`  #${pull.number} ${pull.title} (${pull.state})`);
  }
  console.log(`  … ${pulls} in all`);

  console.log('\n# Leaving early fetches no further page');
  for await (const user of hosting.starring.listStargazers({ owner, repo })) {
    console.log(`  first stargazer: ${user.login}`);
    break;
  }

  console.log('\n# A file');
  const readme = await hosting.contents.getReadme({ owner, repo });
  console.log(`  ${readme.path}: ${readme.size} bytes`);

  console.log('\n# A typed error');
  try {
    await hosting.pulls.get({ owner, repo, number: 999_999_999 });
  } catch (error) {
    if (!isTriforgeError(error) || error.code !== 'not_found') throw error;
    console.log(`  ${error.name}: ${error.message}`);
  }
}

async function write(hosting: HostingClient, { owner, repo }: Place): Promise<void> {
  console.log('\n# A release: drafted, given a file, published');
  const release = await hosting.releases.create({ owner, repo, tag_name: 'v1.0.0', draft: true });
  const asset = await hosting.releases.uploadAsset(
    {
      upload_url: release.upload_url,
      name: 'rocket.txt',
      content_type: 'text/plain',
      data: Buffer.from('Ready for launch.\n'),
    },
    { onProgress: ({ sent, total }) => console.log(`  sent ${sent} of ${total} bytes`) },
  );
  console.log(`  uploaded ${asset.name}, ${asset.size} bytes, ${asset.state}`);
  const published = await hosting.releases.update({ owner, repo, id: release.id, draft: false });
  console.log(`  ${published.tag_name} was published at ${published.published_at}`);

  console.log('\n# The same tag again');
  try {
    await hosting.releases.create({ owner, repo, tag_name: 'v1.0.0' });
  } catch (error) {
    if (!isTriforgeError(error) || error.code !== 'unprocessable') throw error;
    for (const { resource, field, code } of error.errors) {
      console.log(`  ${error.status}: ${resource}.${field} ${code}`);
    }
  }
}

async function showBudget(hosting: HostingClient, { owner, repo }: Place): Promise<void> {
  const starred = await hosting.starring.isStarred({ owner, repo }).withResponse();
  const budget = starred.response.rateLimit;
  console.log('\n# The rate limit');
  console.log(
    `  ${budget?.remaining} of ${budget?.limit} left until ${budget?.reset?.toISOString()}`,
  );
}

const real = realServer();
if (real) {
  const hosting = connect(real);
  await read(hosting, real);
  await hosting.close();
} else {
  const emulator = createEmulator();
  const { hostingUrl } = await emulator.listen();
  const { owner, repo, token } = seeded;
  const place: Place = { baseUrl: hostingUrl, token, vendor: 'service', owner, repo };
  console.log(`The emulator listens at ${hostingUrl}`);
  const hosting = connect(place);
  await read(hosting, place);
  await write(hosting, place);
  await showBudget(hosting, place);
  await hosting.close();
  await emulator.close();
  console.log('\n# What the emulator received');
  console.log(emulator.printRequests());
}
