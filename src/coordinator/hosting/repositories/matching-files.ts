import { runGit } from '../../../git/run-git.js'
import { globMatcher } from '../../../lib/glob.js'

/**
 * Object IDs of the files of a commit that match the doublestar globs; the name of a folder matches all files
 * in it.
 */
export async function objectIds(gitDir: string, sha: string, globs: string[]): Promise<string[]> {
  const files = await listFiles(gitDir, sha)
  return files.filter(({ path }) => globs.some((glob) => covers(glob, path))).map(({ id }) => id)
}

/** Finds the last commit up to `sha` that changed a matching file, for each glob that matches a file. */
export async function lastCommitsOfGlobs(gitDir: string, sha: string, globs: string[]): Promise<string[]> {
  const commits: string[] = []
  for (const glob of globs) {
    const args = ['log', '-1', '--format=%H', '--end-of-options', sha, '--', `:(glob)${glob}`]
    const commit = (await runGit(['--git-dir', gitDir, ...args])).trim()
    if (commit !== '') commits.push(commit)
  }
  return commits
}

/** Each entry is `<mode> <type> <id>\t<path>`, terminated by NUL. */
async function listFiles(gitDir: string, sha: string): Promise<{ id: string; path: string }[]> {
  const output = await runGit(['--git-dir', gitDir, 'ls-tree', '-r', '-z', '--full-tree', sha])
  return output
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [about = '', path = ''] = entry.split('\t')
      return { id: about.split(' ')[2] ?? '', path }
    })
}

function covers(glob: string, path: string): boolean {
  return globMatcher(glob)(path) || path.startsWith(`${glob.replace(/\/+$/, '')}/`)
}
