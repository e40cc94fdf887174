import { access, readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import { runGit } from '../../git/run-git.js'
import type { CloneAddress } from './clone-address.js'
import { isMissing } from './remove-tree.js'

export interface FetchRequest {
  address: CloneAddress
  refspecs: string[]
  /** Commits of history; 0 = all. */
  depth: number
  userAgent: string
}

export interface Ref {
  name: string
  sha: string
}

/** Nothing of a submodule is looked at: its directory belongs to the job, and so does the configuration in it. */
const HOST_SETTINGS = {
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  'diff.ignoreSubmodules': 'all',
}

const LOCKS = ['index.lock', 'shallow.lock', 'HEAD.lock', 'config.lock', 'packed-refs.lock']
const MOST_STALE_PIPELINE_REFS = 20

/**
 * The runner's own repository behind a workspace: objects, refs and index, which no container can write to. It works
 * on a tree that jobs write to, and trusts nothing in there: git is told both directories and never looks for one.
 */
export class HostRepository {
  constructor(
    private readonly gitDir: string,
    private readonly workTree: string,
    private readonly signal: AbortSignal,
  ) {}

  async isInitialized(objectFormat: string): Promise<boolean> {
    const config = await readOrUndefined(join(this.gitDir, 'config'))
    if (config === undefined) return false
    return /objectformat = (\w+)/i.exec(config)?.[1] === (objectFormat === 'sha1' ? undefined : objectFormat)
  }

  async exists(): Promise<boolean> {
    return await isThere(join(this.gitDir, 'config'))
  }

  async initialize(objectFormat: string): Promise<void> {
    const options = ['--bare', '--quiet', '--template=', `--object-format=${objectFormat}`]
    await runGit(['init', ...options, this.gitDir], { signal: this.signal })
  }

  /** A git that was killed leaves its locks; nobody else works in here, so that any lock is such a one. */
  async removeStaleLocks(): Promise<void> {
    const refs = await readdir(join(this.gitDir, 'refs'), { recursive: true })
    const refLocks = refs.filter((name) => name.endsWith('.lock')).map((name) => join('refs', name))
    await Promise.all([...LOCKS, ...refLocks].map((name) => unlinkIfThere(join(this.gitDir, name))))
  }

  async fetch(request: FetchRequest): Promise<void> {
    const args = [
      'fetch',
      '--quiet',
      '--prune',
      '--no-recurse-submodules',
      ...(await this.depthOption(request.depth)),
    ]
    await this.git([...args, '--end-of-options', request.address.url, ...request.refspecs], {
      ...request.address.credentials,
      'http.userAgent': request.userAgent,
    })
  }

  /** Brings the tree to a commit, whatever a job did to it. */
  async checkOut(sha: string): Promise<void> {
    await this.git(['checkout', '--force', '--quiet', '--detach', sha])
  }

  /** Removes what is not of the commit, ignored files included. */
  async clean(): Promise<void> {
    await this.git(['clean', '-ffdx', '--quiet'])
  }

  /** Paths at which the commit has a submodule. */
  async submodulePaths(): Promise<string[]> {
    const entries = await this.git(['ls-files', '--stage', '-z'])
    return entries
      .split('\0')
      .filter((entry) => entry.startsWith('160000 '))
      .map((entry) => entry.slice(entry.indexOf('\t') + 1))
  }

  /** Files of the tree that are not of the commit; a directory that is a repository of its own ends in `/`. */
  async untrackedFiles(): Promise<string[]> {
    const names = await this.git(['ls-files', '--others', '-z'])
    return names.split('\0').filter((name) => name !== '')
  }

  async refs(): Promise<Ref[]> {
    const lines = await this.git(['for-each-ref', '--format=%(objectname) %(refname)'])
    return lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ sha: line.slice(0, line.indexOf(' ')), name: line.slice(line.indexOf(' ') + 1) }))
  }

  /** Each pipeline brings a ref of its own; without this they would pile up for ever. */
  async dropStalePipelineRefs(refs: Ref[], wanted: (name: string) => boolean): Promise<void> {
    const stale = refs.filter(({ name }) => name.startsWith('refs/pipelines/') && !wanted(name))
    if (stale.length <= MOST_STALE_PIPELINE_REFS) return
    const commands = stale.map(({ name }) => `delete ${name}\n`).join('')
    await runGit([...this.place(), 'update-ref', '--stdin'], { input: commands, signal: this.signal })
  }

  private async depthOption(depth: number): Promise<string[]> {
    if (depth > 0) return [`--depth=${depth}`]
    return (await isThere(join(this.gitDir, 'shallow'))) ? ['--unshallow'] : []
  }

  private async git(args: string[], settings: Record<string, string> = {}): Promise<string> {
    const options = { settings: { ...HOST_SETTINGS, ...settings }, signal: this.signal, cwd: this.gitDir }
    return await runGit([...this.place(), ...args], options)
  }

  private place(): string[] {
    return [`--git-dir=${this.gitDir}`, `--work-tree=${this.workTree}`]
  }
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}

async function readOrUndefined(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
