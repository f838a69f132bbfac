// Fails if package.json doesn't set `repository`, `homepage` and `bugs`. npm's provenance needs the
// repository. npm runs this script before `npm publish`.
import manifest from '../package.json' with { type: 'json' };

const missing = ['repository', 'homepage', 'bugs'].filter((field) => !(field in manifest));
if (missing.length > 0) {
  console.error(`package.json: set ${missing.join(', ')} before you publish. See CONTRIBUTING.md.`);
  process.exitCode = 1;
}
