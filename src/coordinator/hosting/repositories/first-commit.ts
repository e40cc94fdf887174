import { runGit } from '../../../git/run-git.js'
import { identity } from './change/write-commit.js'

export interface FirstCommit {
  branch: string
  /** Name and content of a file in the root folder. */
  file: { name: string; content: string }
  message: string
  author: { name: string; email: string }
}

/**
 * Creates the first commit of an empty repository, on a branch to which `HEAD` then points. Returns the SHA.
 */
export async function writeFirstCommit(gitDir: string, first: FirstCommit): Promise<string> {
  const git = async (
    args: string[],
    options: { input?: string; environment?: Record<string, string> } = {},
  ) => (await runGit(['--git-dir', gitDir, ...args], options)).trim()
  const blob = await git(['hash-object', '-w', '--stdin'], { input: first.file.content })
  const tree = await git(['mktree'], { input: `100644 blob ${blob}\t${first.file.name}\n` })
  const commit = await git(['commit-tree', tree], {
    input: `${first.message}\n`,
    environment: { ...identity('AUTHOR', first.author), ...identity('COMMITTER', first.author) },
  })
  await git(['update-ref', '--end-of-options', `refs/heads/${first.branch}`, commit])
  await git(['symbolic-ref', 'HEAD', `refs/heads/${first.branch}`])
  return commit
}
