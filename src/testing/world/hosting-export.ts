import type { Repo, TreeEntry } from '../hosting/repo-state.js';
import type { HostingState } from '../hosting/state.js';
import { bytesData, fileData } from './bytes.js';
import type { GitData, HostingData, RepositoryData } from './world.js';

/** Exports the state of the hosting API, except for pending codes of the web flow. */
export function exportHosting(state: HostingState): HostingData {
  return {
    lastId: state.lastId,
    accounts: [...state.accounts.values()],
    applications: [...state.applications.values()],
    tokens: [...state.tokens.values()],
    repositories: Array.from(state.repos.values(), exportRepository),
    teams: Array.from(state.teams.values(), ({ members, repos, ...team }) => ({
      ...team,
      members: [...members],
      repos: [...repos],
    })),
    renamed: Object.fromEntries(state.renamed),
  };
}

function exportRepository(repo: Repo): RepositoryData {
  const { branches: _of, commits: _git, refs: _itself, ...rest } = repo;
  return {
    ...rest,
    git: exportGit(repo),
    collaborators: Object.fromEntries(repo.collaborators),
    stargazers: Object.fromEntries(repo.stargazers),
    releases: repo.releases.map(({ assets, ...release }) => ({
      ...release,
      assets: assets.map(({ content, ...asset }) => ({
        ...asset,
        content: content && bytesData(content),
      })),
    })),
  };
}

function exportGit({ commits, refs }: Repo): GitData {
  const trees = Array.from(commits.values(), ({ tree }) => tree);
  const entries = trees.flatMap((tree) => [...tree.values()]);
  return {
    objects: Object.fromEntries(entries.map((entry) => [entryKey(entry), fileData(entry)])),
    commits: Array.from(commits.values(), ({ tree, ...commit }) => ({
      ...commit,
      tree: Object.fromEntries(Array.from(tree, ([path, entry]) => [path, entryKey(entry)])),
    })),
    refs: Object.fromEntries(refs),
  };
}

/** Returns an entry's key. Keys of links start with their git mode, because a file with a link's target has its SHA. */
function entryKey({ kind, sha }: TreeEntry): string {
  if (kind === 'file') return sha;
  return `${kind === 'symlink' ? '120000' : '160000'} ${sha}`;
}
