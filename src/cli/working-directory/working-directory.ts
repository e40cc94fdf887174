import { basename, relative, resolve, sep } from 'node:path'

import { GitError } from '../../git/errors.js'
import { ZERO_ID } from '../../git/names.js'
import { type Commit, parseCommit } from '../../git/parse-commit.js'
import { runGit } from '../../git/run-git.js'

/** The user's working directory: a repository with uncommitted changes, or a plain folder. */
export interface WorkingDirectory {
  /** Absolute path of the top folder. */
  root: string
  isRepository: boolean
  /** `group/project` of the remote `origin`. `local/<folder>` without one. */
  projectPath: string
  /** The URL of the remote `origin`. Undefined without one. */
  remote: string | undefined
  /** Name of the checked-out branch. Undefined if there is none. */
  branch: string | undefined
  /** Undefined if it is unknown. */
  defaultBranch: string | undefined
  /** The checked-out commit. Without a message if there is none yet. */
  commit: Commit
}

/** `folder` may be any folder inside. */
export async function openWorkingDirectory(folder: string): Promise<WorkingDirectory> {
  const ask = asker(folder)
  const top = (await ask('rev-parse', '--show-toplevel')) ?? resolve(folder)
  const root = top.trimEnd()
  const isRepository = (await ask('rev-parse', '--is-inside-work-tree'))?.trim() === 'true'
  const branch = (await ask('symbolic-ref', '--short', 'HEAD'))?.trim()
  const origin = await ask('remote', 'get-url', 'origin')
  const remoteHead = await ask('symbolic-ref', '--short', 'refs/remotes/origin/HEAD')
  return {
    root,
    isRepository,
    projectPath: pathOfRemote(origin?.trim()) ?? `local/${nameOf(root)}`,
    remote: origin?.trim(),
    branch,
    defaultBranch: remoteHead?.trim().replace(/^origin\//, '') ?? (await wellKnownBranch(ask)) ?? branch,
    commit: await headCommit(ask),
  }
}

/** The path of a file relative to the top folder. Undefined if the file is outside. */
export function pathInside({ root }: WorkingDirectory, file: string): string | undefined {
  const path = relative(root, resolve(file))
  return path === '' || path.startsWith('..') ? undefined : path.split(sep).join('/')
}

type Ask = (...args: string[]) => Promise<string | undefined>

/** Undefined if git reports none. */
function asker(folder: string): Ask {
  return async (...args) => {
    try {
      return await runGit(args, { cwd: folder })
    } catch (error) {
      if (error instanceof GitError) return undefined
      throw error
    }
  }
}

async function wellKnownBranch(ask: Ask): Promise<string | undefined> {
  for (const name of ['main', 'master']) {
    const found = await ask('rev-parse', '--verify', '--quiet', `refs/heads/${name}`)
    if (found !== undefined) return name
  }
  return undefined
}

async function headCommit(ask: Ask): Promise<Commit> {
  const id = await ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
  const content = id === undefined ? undefined : await ask('cat-file', 'commit', id.trim())
  return parseCommit(id?.trim() ?? ZERO_ID, Buffer.from(content ?? ''))
}

/** Parses `https://host/group/project.git` and `git@host:group/project.git`. */
function pathOfRemote(url: string | undefined): string | undefined {
  const address = /^(?:[a-z+]+:\/\/[^/]+\/|[^/:]+@[^/:]+:)(?<path>.+)$/.exec(url ?? '')
  const path = address?.groups?.['path']?.replace(/\/+$/, '').replace(/\.git$/, '')
  return path?.includes('/') ? path : undefined
}

function nameOf(root: string): string {
  return basename(root).replace(/[^\w.-]+/g, '-') || 'project'
}
