// Refuses to publish a package that doesn't name its repository, because npm's provenance needs it
// and users look for it. npm runs this script before `npm publish`.
import manifest from '../package.json' with { type: 'json' };

const missing = ['repository', 'homepage', 'bugs'].filter((field) => !(field in manifest));
if (missing.length > 0) {
  console.error(`package.json: set ${missing.join(', ')} before you publish. See CONTRIBUTING.md.`);
  process.exitCode = 1;
}
