import { access, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { GitError } from '../../git/errors.js'
import { runGit, runGitSequence } from '../../git/run-git.js'
import type { CloneAddress } from './clone-address.js'
import { readRefs, type Ref } from './read-refs.js'
import { isMissing, removeTree } from './remove-tree.js'

export interface FetchRequest {
  address: CloneAddress
  refspecs: string[]
  /** Number of commits of history. 0 means all. */
  depth: number
  /** Checked flags, such as those of `GIT_FETCH_EXTRA_FLAGS`. */
  flags: string[]
  userAgent: string
}

interface RunOptions {
  settings?: Record<string, string> | undefined
  environment?: Record<string, string>
  input?: string
  onMessages?: (text: string) => void
}

/** A submodule in the tree of a commit. */
export interface GitLink {
  path: string
  sha: string
}

/**
 * Git must not look into submodules, because their directories, including their configuration, belong to the job.
 */
const HOST_SETTINGS = {
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  'diff.ignoreSubmodules': 'all',
}

/** Git writes the headers of responses to its standard error. Credentials in request headers are omitted. */
const TRACED_HEADERS = { GIT_TRACE_CURL: '2', GIT_TRACE_CURL_NO_DATA: '1', GIT_TRACE_REDACT: '1' }

const MAX_LOOSE_OBJECTS = 2000
const MAX_PACKS = 20

/** Small packs are merged once there are twenty. A large one is kept, because rewriting it takes minutes. */
const GARBAGE_SETTINGS = {
  'gc.auto': String(MAX_LOOSE_OBJECTS),
  'gc.autoPackLimit': String(MAX_PACKS),
  'gc.autoDetach': 'false',
  'gc.bigPackThreshold': '256m',
  'gc.writeCommitGraph': 'false',
}

/** Written last, so that a repository counts as complete only if it is. Contains the format of its object IDs. */
const MARKER = 'switchyard-format'
const LOCKS = ['index.lock', 'shallow.lock', 'HEAD.lock', 'config.lock', 'packed-refs.lock', 'gc.pid']
const PACKS = 'objects/pack'
const MAX_STALE_PIPELINE_REFS = 20

/**
 * The runner's own repository for a work tree: objects, refs and index, which no container can write to. It
 * operates on a tree that jobs write to, and trusts nothing in it. Git gets both directories explicitly and never
 * searches for one. Git runs in the directory of the repository, by which `QuietHomes` finds it.
 */
export class HostRepository {
  constructor(
    readonly gitDir: string,
    readonly workTree: string,
    private readonly signal: AbortSignal,
  ) {}

  async isInitialized(objectFormat: string): Promise<boolean> {
    const hasDirectories =
      (await isThere(join(this.gitDir, 'refs'))) && (await isThere(join(this.gitDir, PACKS)))
    return hasDirectories && (await readOrUndefined(join(this.gitDir, MARKER))) === objectFormat
  }

  async exists(): Promise<boolean> {
    return await isThere(join(this.gitDir, MARKER))
  }

  /** The directory must be empty, or contain the rest of an interrupted attempt. */
  async initialize(objectFormat: string): Promise<void> {
    const options = ['--bare', '--quiet', '--template=', `--object-format=${objectFormat}`]
    await runGit(['init', ...options, this.gitDir], { signal: this.signal, cwd: this.gitDir })
    const unfinished = join(this.gitDir, `${MARKER}.new`)
    await writeFile(unfinished, objectFormat)
    await rename(unfinished, join(this.gitDir, MARKER))
  }

  /** Must be called before the repository is removed. */
  async clearCache(): Promise<void> {
    await unlinkIfThere(join(this.gitDir, MARKER))
  }

  /**
   * A killed git leaves locks and partial packs. No other process uses this directory, so every one of them is a
   * leftover.
   */
  async removeRemains(): Promise<void> {
    const refs = await readdir(join(this.gitDir, 'refs'), { recursive: true })
    const refLocks = refs.filter((name) => name.endsWith('.lock')).map((name) => join('refs', name))
    const packs = await readdir(join(this.gitDir, PACKS))
    const halfPacks = packs.filter((name) => /^(tmp_|\.tmp-)/.test(name)).map((name) => join(PACKS, name))
    const remains = [...LOCKS, ...refLocks, ...halfPacks]
    await Promise.all(remains.map((name) => unlinkIfThere(join(this.gitDir, name))))
  }

  /** Returns the messages of git. */
  async fetch(request: FetchRequest): Promise<string> {
    const depth = await this.depthOption(request.depth)
    const args = ['fetch', ...depth, ...request.flags, '--no-recurse-submodules']
    const settings = { ...request.address.credentials, 'http.userAgent': request.userAgent }
    let messages = ''
    await this.git(
      [...args, '--end-of-options', request.address.url, ...request.refspecs],
      settings,
      (text) => {
        messages = text
      },
    )
    return messages
  }

  /**
   * The target to which the server of a repository redirects git, which does not follow it. Undefined if it does
   * not redirect. Git itself is asked, because it knows the certificates that the machine trusts.
   */
  async redirectOf({ url, credentials }: CloneAddress, userAgent: string): Promise<string | undefined> {
    const settings = { ...credentials, 'http.userAgent': userAgent }
    try {
      await this.run(['ls-remote', '--quiet', '--end-of-options', url, 'HEAD'], {
        settings,
        environment: TRACED_HEADERS,
      })
      return undefined
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      return /<= recv header: location: (\S+)/i.exec(error.stderr)?.[1]
    }
  }

  async hasCommit(sha: string): Promise<boolean> {
    return await this.git(['cat-file', '-e', `${sha}^{commit}`]).then(
      () => true,
      () => false, // the fetch that follows reports the error
    )
  }

  async resolve(revision: string): Promise<string> {
    return (await this.git(['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`])).trim()
  }

  /**
   * Checks out a commit, whatever a job did to the tree. `settings` are those of a filter. With `cleanFlags`, files
   * that are not part of the commit are removed, as these flags of `git clean` specify. Returns the submodules of
   * the commit.
   */
  async checkOut(
    sha: string,
    { settings, cleanFlags }: { settings?: Record<string, string>; cleanFlags?: string[] | undefined } = {},
  ): Promise<GitLink[]> {
    const checkOut = ['checkout', '--force', '--quiet', '--detach', sha]
    const list = ['ls-tree', '-r', '-d', '-z', sha]
    const clean = cleanFlags ? [['clean', '--quiet', ...cleanFlags]] : []
    return gitLinksIn(await this.runSequence([checkOut, list, ...clean], { settings }))
  }

  /** Removes files from the index, so that the next checkout writes them again. */
  async deleteFromIndex(paths: string[]): Promise<void> {
    const input = paths.map((path) => `${path}\0`).join('')
    await this.run(['update-index', '--force-remove', '-z', '--stdin'], { input })
  }

  /** Files whose attributes assign the filter `lfs` to them. */
  async lfsFiles(): Promise<string[]> {
    return await this.paths([':(attr:filter=lfs)'])
  }

  /** Updates the index after the owner of files has changed, and nothing else. */
  async refreshIndex(settings: Record<string, string> = {}): Promise<void> {
    await this.git(['update-index', '-q', '--ignore-submodules', '--refresh'], settings)
  }

  /** Removes the index, so that git examines all files of the tree again. */
  async deleteIndex(): Promise<void> {
    await removeTree(join(this.gitDir, 'index'))
  }

  /** Paths of the checked-out commit that match the pathspecs. */
  async paths(pathspecs: string[]): Promise<string[]> {
    return split(await this.git(['ls-files', '-z', '--', ...pathspecs]))
  }

  /** The `.gitmodules` of a commit in the format of `git config --list -z`. The file in the tree is not read. */
  async gitmodules(sha: string): Promise<string> {
    const isFile = (await this.git(['ls-tree', '-z', sha, '--', '.gitmodules'])).startsWith('100')
    return isFile ? await this.git(['config', '--blob', `${sha}:.gitmodules`, '--list', '-z']) : ''
  }

  /** Files of the tree that are not part of the commit. A directory that is a repository of its own ends in `/`. */
  async untrackedFiles(pathspecs: string[] = []): Promise<string[]> {
    return split(await this.git(['ls-files', '--others', '-z', '--', ...pathspecs]))
  }

  /** The content of `HEAD`: a commit ID, or `ref: <name>` before the first checkout. */
  async head(): Promise<string> {
    const head = (await readOrUndefined(join(this.gitDir, 'HEAD')))?.trim() ?? ''
    return /^[0-9a-f]{40,64}$/.test(head) ? head : 'ref: refs/heads/main'
  }

  async refs(): Promise<Ref[]> {
    return (await readRefs(this.gitDir)) ?? (await this.askedRefs())
  }

  private async askedRefs(): Promise<Ref[]> {
    const lines = await this.git(['for-each-ref', '--format=%(objectname) %(refname)'])
    return lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ sha: line.slice(0, line.indexOf(' ')), name: line.slice(line.indexOf(' ') + 1) }))
  }

  /** Each pipeline adds a ref of its own. Without this, they would accumulate. */
  async deleteStalePipelineRefs(refs: Ref[], wanted: (name: string) => boolean): Promise<void> {
    const stale = refs.filter(({ name }) => name.startsWith('refs/pipelines/') && !wanted(name))
    if (stale.length <= MAX_STALE_PIPELINE_REFS) return
    await this.run(['update-ref', '--stdin'], { input: stale.map(({ name }) => `delete ${name}\n`).join('') })
  }

  /** Packs loose objects and removes unreachable ones, if it is worthwhile. */
  async collectGarbage(): Promise<void> {
    if (!(await this.mayHaveGarbage())) return
    await this.git(['gc', '--auto', '--quiet', '--prune=now'], GARBAGE_SETTINGS)
  }

  /**
   * Returns false only if `git gc --auto` would find nothing to do. Uses git's own criteria: the loose objects
   * whose IDs begin with 17, and the packs.
   */
  private async mayHaveGarbage(): Promise<boolean> {
    const sample = await namesIn(join(this.gitDir, 'objects/17'))
    const packs = (await namesIn(join(this.gitDir, PACKS))).filter((name) => name.endsWith('.pack'))
    return sample.length > MAX_LOOSE_OBJECTS / 256 || packs.length > MAX_PACKS
  }

  private async depthOption(depth: number): Promise<string[]> {
    if (depth > 0) return [`--depth=${depth}`]
    return (await isThere(join(this.gitDir, 'shallow'))) ? ['--unshallow'] : []
  }

  private async git(
    args: string[],
    settings: Record<string, string> = {},
    onMessages: (text: string) => void = () => {},
  ): Promise<string> {
    return await this.run(args, { settings, onMessages })
  }

  private async run(args: string[], options: RunOptions): Promise<string> {
    return await this.runSequence([args], options)
  }

  private async runSequence(commands: string[][], options: RunOptions): Promise<string> {
    const directories = [`--git-dir=${this.gitDir}`, `--work-tree=${this.workTree}`]
    const placed = commands.map((args) => [...directories, ...args])
    return await runGitSequence(placed, {
      ...options,
      settings: { ...HOST_SETTINGS, ...options.settings },
      signal: this.signal,
      cwd: this.gitDir,
    })
  }
}

/** In the output of `git ls-tree -z`. */
function gitLinksIn(text: string): GitLink[] {
  return split(text.slice(0, text.lastIndexOf('\0') + 1))
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => ({ sha: entry.split(/[ \t]/)[2] ?? '', path: entry.slice(entry.indexOf('\t') + 1) }))
}

function split(names: string): string[] {
  return names.split('\0').filter((name) => name !== '')
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
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
