import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { GitError } from '../../../../git/errors.js'
import { runGit } from '../../../../git/run-git.js'
import type { GitInfo } from '../../../../protocol/job-payload.js'
import { copyIfThere, findGitPaths } from '../../../working-directory/snapshot.js'
import type { WorkingDirectory } from '../../../working-directory/working-directory.js'
import { ReproductionError } from './errors.js'

interface CommitSource {
  gitDir: string
  /** Whether the clone of the working directory has the commit. */
  isLocal: boolean
}

/**
 * Creates a repository below `folder` with the commit of a job, at the refs that its payload requests: from the clone of the
 * working directory, else from the server. Throws `ReproductionError`.
 */
export async function fetchCommit(
  git: GitInfo,
  directory: WorkingDirectory,
  folder: string,
  token: string,
): Promise<CommitSource> {
  const gitDir = join(folder, 'sources.git')
  const format = git.repo_object_format ?? 'sha1'
  await runGit(['init', '--bare', '--quiet', '--template=', `--object-format=${format}`, gitDir])
  const isLocal = await hasCommit(directory, git.sha)
  if (isLocal) await borrowObjects(directory, gitDir)
  else await fetchFromServer(git, gitDir, token)
  for (const ref of refsOf(git)) await runGit(['--git-dir', gitDir, 'update-ref', ref, git.sha])
  return { gitDir, isLocal }
}

async function hasCommit({ root, isRepository }: WorkingDirectory, sha: string): Promise<boolean> {
  if (!isRepository || !/^[0-9a-f]{40,64}$/.test(sha)) return false
  try {
    // A commit whose history is missing, in part or whole, would fail later.
    await runGit(['rev-list', '--quiet', '--objects', '--max-count=1', sha, '--'], { cwd: root })
    return true
  } catch (error) {
    if (error instanceof GitError) return false
    throw error
  }
}

async function borrowObjects({ root }: WorkingDirectory, gitDir: string): Promise<void> {
  const { objects, shallow } = await findGitPaths(root)
  await mkdir(join(gitDir, 'objects/info'), { recursive: true })
  await appendFile(join(gitDir, 'objects/info/alternates'), `${objects}\n`)
  await copyIfThere(shallow, join(gitDir, 'shallow'))
}

/** The token is in the environment of git, not in its arguments or in a file. */
async function fetchFromServer(
  { repo_url: url, sha, depth = 0 }: GitInfo,
  gitDir: string,
  token: string,
): Promise<void> {
  const login = Buffer.from(`oauth2:${token}`).toString('base64')
  const settings = { [`http.${url}.extraHeader`]: `Authorization: Basic ${login}` }
  const depths = depth > 0 ? [`--depth=${depth}`] : []
  try {
    await runGit(['--git-dir', gitDir, 'fetch', '--quiet', '--no-tags', ...depths, url, sha], { settings })
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    throw new ReproductionError(`The commit ${sha.slice(0, 8)} cannot be fetched: ${error.message}`, {
      cause: error,
    })
  }
}

/** The refs on the right side, or on the left one of those that the server has under another name. */
function refsOf({ refspecs }: GitInfo): string[] {
  return (refspecs ?? []).flatMap((spec) => {
    const [from = ''] = spec.replace(/^\+/, '').split(':')
    return from.includes('*') || !from.startsWith('refs/') ? [] : [from]
  })
}
