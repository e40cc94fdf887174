import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { branchOrTag, isObjectId, isRefName, type RefKind, ZERO_ID } from '../../../git/names.js'
import { type Commit, parseCommit } from '../../../git/parse-commit.js'
import { parseTagMessage } from '../../../git/parse-tag-message.js'
import { type GitOptions, runGit } from '../../../git/run-git.js'
import type { Reading } from './browse/reading.js'
import { changedFiles, filePaths, mergeBase } from './changed-files.js'
import { CommitNotFoundError } from './errors.js'
import { type GitPool, GitSemaphore } from './git-semaphore.js'
import { lastCommits, objectIds } from './matching-files.js'
import { ObjectReaders } from './object-readers.js'

export type { Commit } from '../../../git/parse-commit.js'

export interface ResolvedRef {
  /** Short name. */
  ref: string
  type: RefKind
  /** The commit, also behind an annotated tag. */
  sha: string
}

/** A CI file or another text of the repository; larger ones are refused (`ObjectTooLargeError`). */
const MAX_FILE_BYTES = 4 * 1024 * 1024
/** What is read for its id alone, and commits: messages of this size are no messages. */
const MAX_COMMIT_BYTES = 16 * 1024 * 1024

/**
 * The bare repositories of all projects, below one folder: `<root>/<two hex digits>/<project id>.git`. They are only
 * touched by git processes that run without hooks and with no configuration of the machine, each in a slot (`GitSemaphore`):
 * what is asked here is asked for pushes, pipelines and jobs and runs in the pool `inner`, unless a method says otherwise.
 * Objects are read by a few processes that stay open for everybody (`ObjectReaders`) and take no slot.
 */
export class Repositories {
  private readonly readers = new ObjectReaders()
  readonly root: string

  constructor(
    root: string,
    private readonly slots = new GitSemaphore(),
  ) {
    this.root = resolve(root)
  }

  /** Absolute. Sharded so that no folder gets an entry per project. */
  path(projectId: number): string {
    const shard = createHash('sha256').update(String(projectId)).digest('hex').slice(0, 2)
    return join(this.root, shard, `${projectId}.git`)
  }

  /** An empty repository, without hooks or sample files; does nothing to one that is there. In the pool `writing`. */
  async create(projectId: number): Promise<void> {
    const args = [
      'init',
      '--quiet',
      '--bare',
      '--template=',
      '--initial-branch=main',
      '--',
      this.path(projectId),
    ]
    // Refs and their logs as files, whatever a newer git prefers: `hasMoved` reads them.
    const environment = { GIT_DEFAULT_REF_FORMAT: 'files' }
    await this.withSlot(projectId, 'writing', () => runGit(args, { environment }))
  }

  async delete(projectId: number): Promise<void> {
    const path = this.path(projectId)
    await this.readers.drop(path)
    await rm(path, { recursive: true, force: true })
    // What an import that was cut off has left.
    await rm(`${path}.import`, { recursive: true, force: true })
  }

  /** True while it has neither branches nor tags. */
  async isEmpty(projectId: number): Promise<boolean> {
    return (await this.git(projectId, ['for-each-ref', '--count=1', 'refs/heads/', 'refs/tags/'])) === ''
  }

  /** A look into the project's repository, until `signal` aborts because nobody waits for what it finds. */
  reading(projectId: number, signal: AbortSignal): Reading {
    const gitDir = this.path(projectId)
    const acquireSlot = (until: AbortSignal) => this.slots.acquire(gitDir, 'reading', until)
    return { gitDir, objects: this.readers.of(gitDir), signal, acquireSlot }
  }

  /** Waits until git may run once more; the answered function ends the slot. Throws as `GitSemaphore.acquire` does. */
  acquireSlot(projectId: number, pool: GitPool, signal: AbortSignal): Promise<() => void> {
    return this.slots.acquire(this.path(projectId), pool, signal)
  }

  /**
   * Git that `work` runs, one process at a time, in one slot: it asks for no other. `signal` ends the waiting alone; without
   * it the slot is waited for however long that takes. Throws as `GitSemaphore.acquire` does.
   */
  async withSlot<T>(
    projectId: number,
    pool: GitPool,
    work: () => Promise<T>,
    signal = new AbortController().signal,
  ): Promise<T> {
    const releaseSlot = await this.acquireSlot(projectId, pool, signal)
    try {
      return await work()
    } finally {
      releaseSlot()
    }
  }

  /** A file of a commit as UTF-8 text; undefined when the commit has no file there. */
  async readFile(projectId: number, sha: string, path: string): Promise<string | undefined> {
    // Git reads `./` and `../` as relative to a work tree, which a bare repository has not, and ends over it.
    if (!isObjectId(sha) || path === '' || /^\.\.?(\/|$)/.test(path)) return undefined
    const object = await this.read(projectId, `${sha}:${path}`, MAX_FILE_BYTES)
    return object?.type === 'blob' ? object.content.toString('utf8') : undefined
  }

  /**
   * Resolves a branch or tag. `refs/heads/<name>` and `refs/tags/<name>` name one of them; a short name means the branch, and
   * the tag only where no branch has the name. Undefined when there is neither.
   */
  async resolveRef(projectId: number, ref: string): Promise<ResolvedRef | undefined> {
    const full = branchOrTag(ref)
    if (full) return this.resolve(projectId, full.kind, full.name)
    return (await this.resolve(projectId, 'branch', ref)) ?? this.resolve(projectId, 'tag', ref)
  }

  /**
   * The commit of a whole id, `HEAD`, a ref in full (`refs/heads/x`), a branch, a tag or the start of an id, in this order;
   * undefined when there is none. No name of a branch or tag takes the place of a whole id, of `HEAD` or of a full ref.
   */
  async resolveCommit(projectId: number, revision: string): Promise<string | undefined> {
    if (isObjectId(revision)) return this.commitOf(projectId, revision)
    if (revision === 'HEAD') return this.commitNamed(projectId, 'HEAD')
    const ref = await this.resolveRef(projectId, revision)
    if (ref) return ref.sha
    if (!/^[0-9a-f]{7,39}$/.test(revision)) return undefined
    // Git would also find `refs/<revision>`.
    const sha = await this.commitNamed(projectId, revision)
    return sha?.startsWith(revision) ? sha : undefined
  }

  /** Throws `CommitNotFoundError` for an id that is not a commit's. */
  async readCommit(projectId: number, sha: string): Promise<Commit> {
    const object = isObjectId(sha) ? await this.read(projectId, sha, MAX_COMMIT_BYTES) : undefined
    if (object?.type !== 'commit') throw new CommitNotFoundError(sha)
    return parseCommit(object.id, object.content)
  }

  /** Undefined for a tag without a message of its own, and for none. */
  async tagMessage(projectId: number, tag: string): Promise<string | undefined> {
    const object = isRefName(tag)
      ? await this.read(projectId, prefixOf('tag') + tag, MAX_COMMIT_BYTES)
      : undefined
    return object?.type === 'tag' ? parseTagMessage(object.content) : undefined
  }

  /** Paths of all files of a commit, in the order of its tree; none for `ZERO_ID`. */
  listFiles(projectId: number, sha: string): Promise<string[]> {
    if (!isObjectId(sha) || sha === ZERO_ID) return Promise.resolve([])
    return this.inner(projectId, (gitDir) => filePaths(gitDir, sha))
  }

  /** Paths that differ between two commits, both of a renamed file; undefined when `from` is not there. */
  async changedFiles(projectId: number, from: string, to: string): Promise<string[] | undefined> {
    const [start, end] = [await this.commitOf(projectId, from), await this.commitOf(projectId, to)]
    return start === undefined || end === undefined
      ? undefined
      : this.inner(projectId, (gitDir) => changedFiles(gitDir, start, end))
  }

  /** The commit that two histories share last; undefined when they share none. */
  async mergeBase(projectId: number, one: string, other: string): Promise<string | undefined> {
    if (!isObjectId(one) || !isObjectId(other)) return undefined
    return this.inner(projectId, (gitDir) => mergeBase(gitDir, one, other))
  }

  objectIds(projectId: number, sha: string, globs: string[]): Promise<string[]> {
    if (!isObjectId(sha)) return Promise.resolve([])
    return this.inner(projectId, (gitDir) => objectIds(gitDir, sha, globs))
  }

  lastCommits(projectId: number, sha: string, globs: string[]): Promise<string[]> {
    if (!isObjectId(sha)) return Promise.resolve([])
    return this.inner(projectId, (gitDir) => lastCommits(gitDir, sha, globs))
  }

  /** The commit that an object is or, for an annotated tag, points to; undefined when it is something else. */
  async commitOf(projectId: number, id: string): Promise<string | undefined> {
    if (!isObjectId(id)) return undefined
    return this.commitNamed(projectId, id)
  }

  /** `refs/pipelines/<id>`, which keeps the commit for as long as its pipeline may be run again. */
  async createPipelineRef(projectId: number, pipelineId: number, sha: string): Promise<void> {
    await this.git(projectId, ['update-ref', '--end-of-options', `refs/pipelines/${pipelineId}`, sha])
  }

  async deletePipelineRefs(projectId: number, pipelineIds: readonly number[]): Promise<void> {
    const input = pipelineIds.map((id) => `delete refs/pipelines/${id}\n`).join('')
    await this.git(projectId, ['update-ref', '--stdin'], { input })
  }

  /** The pipelines that have a ref. */
  async listPipelineRefs(projectId: number): Promise<number[]> {
    const output = await this.git(projectId, [
      'for-each-ref',
      '--format=%(refname:lstrip=2)',
      'refs/pipelines/',
    ])
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map(Number)
  }

  /** The first branch, by name, whose history has the commit; undefined when it is on none. In the pool `reading`. */
  async branchContaining(projectId: number, sha: string): Promise<string | undefined> {
    if ((await this.commitOf(projectId, sha)) === undefined) return undefined
    const wanted = ['--count=1', '--format=%(refname:lstrip=2)', `--contains=${sha}`]
    const args = ['--git-dir', this.path(projectId), 'for-each-ref', ...wanted, 'refs/heads/']
    const output = await this.withSlot(projectId, 'reading', () => runGit(args))
    return output.trimEnd() || undefined
  }

  /** Branches or tags by name, each with the id of its commit. */
  async listRefs(projectId: number, kind: RefKind): Promise<ResolvedRef[]> {
    const prefix = prefixOf(kind)
    const format = '--format=%(objectname) %(*objectname) %(refname)'
    const output = await this.git(projectId, ['for-each-ref', '--sort=refname', format, prefix])
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [id = '', peeled = '', ...name] = line.split(' ')
        return { ref: name.join(' ').slice(prefix.length), type: kind, sha: peeled || id }
      })
  }

  /** Short names. */
  async listTags(projectId: number): Promise<string[]> {
    return (await this.listRefs(projectId, 'tag')).map(({ ref }) => ref)
  }

  /** What a clone checks out. */
  async setHead(projectId: number, branch: string): Promise<void> {
    await this.git(projectId, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`])
  }

  /** Ends the processes that reads have left open. */
  async close(): Promise<void> {
    await this.readers.close()
  }

  private async resolve(projectId: number, kind: RefKind, name: string): Promise<ResolvedRef | undefined> {
    if (!isRefName(name)) return undefined
    const object = await this.read(projectId, `${prefixOf(kind)}${name}^{commit}`, MAX_COMMIT_BYTES)
    return object && { ref: name, type: kind, sha: object.id }
  }

  private async commitNamed(projectId: number, name: string): Promise<string | undefined> {
    return (await this.read(projectId, `${name}^{commit}`, MAX_COMMIT_BYTES))?.id
  }

  private read(projectId: number, name: string, maxBytes: number) {
    return this.readers.of(this.path(projectId)).read(name, maxBytes)
  }

  private git(projectId: number, args: string[], options?: GitOptions): Promise<string> {
    return this.inner(projectId, (gitDir) => runGit(['--git-dir', gitDir, ...args], options))
  }

  private inner<T>(projectId: number, work: (gitDir: string) => Promise<T>): Promise<T> {
    return this.withSlot(projectId, 'inner', () => work(this.path(projectId)))
  }
}

function prefixOf(kind: RefKind): string {
  return kind === 'branch' ? 'refs/heads/' : 'refs/tags/'
}
