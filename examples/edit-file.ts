// Edit a file that others edit too
//
// Reads a file, changes it, and commits the change. `sha` identifies the version that the program read. If someone
// else has committed in the meantime, the server responds with a 409, and the program changes the new version instead.
//
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/edit-file.ts README.md "Fly safely."
import { ConflictError, HostingClient } from 'triforge';
import { contentText } from 'triforge/hosting';

const [path = 'README.md', line = 'Fly safely.'] = process.argv.slice(2);

await using hosting = HostingClient.fromEnv();

/** Appends the line. Returns the commit's SHA, or undefined if the file already contains the line. */
async function append(attempts: number): Promise<string | undefined> {
  const file = { owner: 'acme', repo: 'rocket', path };
  const found = await hosting.contents.get(file);
  if (Array.isArray(found) || found.type !== 'file') throw new Error(`${path} is not a file`);
  const text = contentText(found);
  if (text.split('\n').includes(line)) return undefined;
  try {
    const content = { text: `${text.trimEnd()}\n${line}\n` };
    const message = `Say: ${line}`;
    const { commit } = await hosting.contents.update({ ...file, content, message, sha: found.sha });
    return commit.sha;
  } catch (error) {
    if (!(error instanceof ConflictError) || attempts <= 1) throw error;
    console.log('The file has changed. Trying again.');
    return await append(attempts - 1);
  }
}

console.log(`Commit: ${(await append(5)) ?? 'none, the file already contains the line'}`);
