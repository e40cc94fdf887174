import { createHash, randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'

import { brokenRef, unreadableObject } from '../../../git/errors.js'
import { branchOrTag, isObjectId, isRefName, type RefKind, ZERO_ID } from '../../../git/names.js'
import { type Commit, parseCommit } from '../../../git/parse-commit.js'
import { parseTagMessage } from '../../../git/parse-tag-message.js'
import { readPath } from '../../../git/read-path.js'
import { type GitOptions, runGit } from '../../../git/run-git.js'
import { setAside } from '../../ci/storage/set-aside.js'
import type { Reading } from './browse/reading.js'
import { changedFiles, commitsSince, filePaths, mergeBase } from './changed-files.js'
import {
  compareBranches,
  type ComparedBranches,
  fetchToKeep,
  moveRefs,
  refsToKeep,
} from './compared-branches.js'
import { CommitNotFoundError } from './errors.js'
import { type GitPool, GitSemaphore } from './git-semaphore.js'
import { isRepository } from './is-repository.js'
import { KnownCommits } from './known-commits.js'
import { lastCommitsOfGlobs, objectIds } from './matching-files.js'
import { ObjectReaders } from './object-readers.js'
import { storedRef } from './stored-ref.js'

export type { Commit } from '../../../git/parse-commit.js'

export interface ResolvedRef {
  /** Short name. */
  ref: string
  type: RefKind
  /** ID of the commit; for an annotated tag, the commit it points to. */
  sha: string
}

/** Maximum size of a CI file or other text, in bytes; larger files are refused (`ObjectTooLargeError`). */
const MAX_FILE_BYTES = 4 * 1024 * 1024
/** Maximum size of commits and tags, in bytes. */
const MAX_COMMIT_BYTES = 16 * 1024 * 1024

/** Maximum length of the steps of a revision, in characters, and of the commits that they walk over. */
const MAX_STEPS_LENGTH = 100
const MAX_STEPS = 10_000

/** The end of a revision that leads to ancestors (`~2`, `^2`, `^{}`, `^{commit}`), in any number; no name contains it. */
function stepsOf(revision: string): string {
  const at = revision.search(/[~^]/)
  const steps = at === -1 ? '' : revision.slice(at)
  return /^(?:~\d*|\^\d*|\^\{(?:commit)?\})+$/.test(steps) ? steps : ''
}

/** Whether git finds the commit in bounded time. */
function isShort(steps: string): boolean {
  const walked = [...steps.matchAll(/~(\d*)/g)].reduce((sum, [, count]) => sum + Number(count || 1), 0)
  return steps.length <= MAX_STEPS_LENGTH && walked <= MAX_STEPS
}

/**
 * The bare repositories of all projects, below one folder: `<root>/<two hex digits>/<project id>.git`. Only
 * git processes without hooks and without configuration of the machine access them, each in a slot
 * (`GitSemaphore`). Methods serve pushes, pipelines and jobs, and use the pool `inner` unless they say
 * otherwise. Objects are read by a few shared processes that stay open (`ObjectReaders`) and take no slot.
 */
export class Repositories {
  private readonly readers: ObjectReaders
  private readonly commits = new KnownCommits()
  readonly root: string

  constructor(
    root: string,
    private readonly slots = new GitSemaphore(),
  ) {
    this.root = resolve(root)
    const { timings } = slots
    this.readers = new ObjectReaders((milliseconds) => timings?.worked('objects', milliseconds))
  }

  /** Absolute path. Sharded, so that no folder has an entry for each project. */
  path(projectId: number): string {
    const shard = createHash('sha256').update(String(projectId)).digest('hex').slice(0, 2)
    return join(this.root, shard, `${projectId}.git`)
  }

  /**
   * Creates an empty repository, without hooks or sample files; an existing one is kept. In the pool
   * `writing`.
   */
  async create(projectId: number): Promise<void> {
    await this.init(projectId, this.path(projectId))
  }

  /** As `create`, for a repository that several requests may create at once: none sees a part of it. */
  async createOnce(projectId: number): Promise<void> {
    const path = this.path(projectId)
    const draft = `${path}.${randomUUID()}`
    await this.init(projectId, draft)
    try {
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      if (!(await isRepository(path))) throw error
    }
  }

  private async init(projectId: number, path: string): Promise<void> {
    const args = ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', '--', path]
    // Store refs and reflogs as files, even if a newer git has another default: `hasMoved` reads them.
    const environment = { GIT_DEFAULT_REF_FORMAT: 'files' }
    await this.withSlot(projectId, 'writing', () => runGit(args, { environment }))
  }

  /**
   * Moves away the files that a former project left under this number. Call it before a new row uses the number.
   * Returns the folder where it is then.
   */
  async setAside(projectId: number): Promise<string | undefined> {
    const path = this.path(projectId)
    const folder = dirname(this.root)
    await this.forget(path)
    return setAside(folder, [relative(folder, path), relative(folder, `${path}.import`)])
  }

  async delete(projectId: number): Promise<void> {
    const path = this.path(projectId)
    await this.forget(path)
    await rm(path, { recursive: true, force: true })
    // The rest of an interrupted import.
    await rm(`${path}.import`, { recursive: true, force: true })
  }

  private async forget(gitDir: string): Promise<void> {
    this.commits.forget(gitDir)
    await this.readers.closeReader(gitDir)
  }

  /** Whether the repository has neither branches nor tags. */
  async isEmpty(projectId: number): Promise<boolean> {
    return (await this.git(projectId, ['for-each-ref', '--count=1', 'refs/heads/', 'refs/tags/'])) === ''
  }

  /** A context to read the repository of a project; an abort of `signal` ends its git processes. */
  reading(projectId: number, signal: AbortSignal): Reading {
    const gitDir = this.path(projectId)
    const acquireSlot = (until: AbortSignal) => this.slots.acquire(gitDir, 'reading', until)
    return { gitDir, objects: this.readers.of(gitDir), signal, acquireSlot }
  }

  /** Waits for a slot; the returned function releases it. Throws as `GitSemaphore.acquire` does. */
  acquireSlot(projectId: number, pool: GitPool, signal: AbortSignal): Promise<() => void> {
    return this.slots.acquire(this.path(projectId), pool, signal)
  }

  /**
   * Runs `work` in one slot. `work` runs one git process at a time and acquires no other slot. `signal` only
   * ends the wait; without it the wait has no limit. Throws as `GitSemaphore.acquire` does.
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

  /**
   * Compares the heads of two branches of one project, or of a fork and of its origin, whose repository keeps both
   * commits from then on.
   */
  async compareForMergeRequest(
    { source_project_id, project_id }: { source_project_id: number; project_id: number },
    heads: { source: string; target: string },
  ): Promise<ComparedBranches> {
    const gitDir = this.path(project_id)
    return this.withSlot(project_id, 'inner', async () => {
      if (source_project_id !== project_id) {
        await fetchToKeep(gitDir, { gitDir: this.path(source_project_id), sha: heads.source })
      }
      await moveRefs(gitDir, refsToKeep([heads.source, heads.target]))
      return compareBranches(gitDir, heads)
    })
  }

  /** Content of a file of a commit, as UTF-8 text; undefined if the commit has no such file. */
  async readFile(projectId: number, sha: string, path: string): Promise<string | undefined> {
    // Git resolves `./` and `../` relative to a work tree. A bare repository has none, and git would fail.
    if (!isObjectId(sha) || path === '' || /^\.\.?(\/|$)/.test(path)) return undefined
    const object = await readPath(this.readers.of(this.path(projectId)), sha, path, MAX_FILE_BYTES)
    return object?.type === 'blob' ? object.content.toString('utf8') : undefined
  }

  /**
   * Resolves a branch or tag. `refs/heads/<name>` and `refs/tags/<name>` are unambiguous. A short name means
   * the branch, or the tag if no such branch exists. Undefined if neither exists.
   */
  async resolveRef(projectId: number, ref: string): Promise<ResolvedRef | undefined> {
    const full = branchOrTag(ref)
    if (full) return this.resolve(projectId, full.kind, full.name)
    return (await this.resolve(projectId, 'branch', ref)) ?? this.resolve(projectId, 'tag', ref)
  }

  /**
   * Resolves a full SHA, `HEAD`, a full ref name (`refs/heads/x`), a branch, a tag or an abbreviated SHA, in
   * this order; undefined if none matches. A branch or tag never shadows a full SHA, `HEAD` or a full ref
   * name. Steps to ancestors may follow: `main~2`, `HEAD^2`, `v2^{}`.
   */
  async resolveCommit(projectId: number, revision: string): Promise<string | undefined> {
    const steps = stepsOf(revision)
    if (steps === '') return this.resolveName(projectId, revision)
    const name = revision.slice(0, -steps.length)
    const start = isShort(steps) ? await this.resolveName(projectId, name === '@' ? 'HEAD' : name) : undefined
    return start === undefined ? undefined : this.commitNamed(projectId, start + steps)
  }

  private async resolveName(projectId: number, revision: string): Promise<string | undefined> {
    if (isObjectId(revision)) return this.commitOf(projectId, revision)
    if (revision === 'HEAD') return this.commitNamed(projectId, 'HEAD')
    const ref = await this.resolveRef(projectId, revision)
    if (ref) return ref.sha
    if (!/^[0-9a-f]{7,39}$/.test(revision)) return undefined
    // Git would also accept `refs/<revision>`.
    const sha = await this.commitNamed(projectId, revision)
    return sha?.startsWith(revision) ? sha : undefined
  }

  /** Throws `CommitNotFoundError` if the ID is not that of a commit. */
  async readCommit(projectId: number, sha: string): Promise<Commit> {
    const gitDir = this.path(projectId)
    const known = this.commits.get(gitDir, sha)
    if (known) return known
    const object = isObjectId(sha) ? await this.readers.of(gitDir).read(sha, MAX_COMMIT_BYTES) : undefined
    if (object?.type !== 'commit') throw new CommitNotFoundError(sha)
    const commit = parseCommit(object.id, object.content)
    this.commits.add(gitDir, commit)
    return commit
  }

  /** Undefined for a lightweight tag and for an unknown one. */
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

  /** Paths that differ between two commits; a rename gives both paths. Undefined if `from` does not exist. */
  async changedFiles(projectId: number, from: string, to: string): Promise<string[] | undefined> {
    const [start, end] = [await this.commitOf(projectId, from), await this.commitOf(projectId, to)]
    return start === undefined || end === undefined
      ? undefined
      : this.inner(projectId, (gitDir) => changedFiles(gitDir, start, end))
  }

  /** Best common ancestor of two commits; undefined if there is none. */
  async mergeBase(projectId: number, one: string, other: string): Promise<string | undefined> {
    if (!isObjectId(one) || !isObjectId(other)) return undefined
    return this.inner(projectId, (gitDir) => mergeBase(gitDir, one, other))
  }

  /** IDs of the newest commits that `to` contains and `from` does not, at most `limit`; undefined if one of them is gone. */
  async commitsSince(
    projectId: number,
    from: string,
    to: string,
    limit: number,
  ): Promise<string[] | undefined> {
    if (!isObjectId(from) || !isObjectId(to)) return undefined
    return this.inner(projectId, (gitDir) => commitsSince(gitDir, from, to, limit))
  }

  objectIds(projectId: number, sha: string, globs: string[]): Promise<string[]> {
    if (!isObjectId(sha)) return Promise.resolve([])
    return this.inner(projectId, (gitDir) => objectIds(gitDir, sha, globs))
  }

  lastCommits(projectId: number, sha: string, globs: string[]): Promise<string[]> {
    if (!isObjectId(sha)) return Promise.resolve([])
    return this.inner(projectId, (gitDir) => lastCommitsOfGlobs(gitDir, sha, globs))
  }

  /** The commit with this ID, or the one that an annotated tag points to; undefined for other objects. */
  async commitOf(projectId: number, id: string): Promise<string | undefined> {
    if (!isObjectId(id)) return undefined
    return this.commitNamed(projectId, id)
  }

  /** Creates `refs/pipelines/<id>`, which keeps the commit while its pipeline can be retried. */
  async createPipelineRef(projectId: number, pipelineId: number, sha: string): Promise<void> {
    await this.git(projectId, ['update-ref', '--end-of-options', `refs/pipelines/${pipelineId}`, sha])
  }

  async deletePipelineRefs(projectId: number, pipelineIds: readonly number[]): Promise<void> {
    const input = pipelineIds.map((id) => `delete refs/pipelines/${id}\n`).join('')
    await this.git(projectId, ['update-ref', '--stdin'], { input })
  }

  /** IDs of the pipelines that have a ref. */
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

  /**
   * The first branch, by name, that contains the commit; undefined if there is none. In the pool `reading`.
   */
  async branchContaining(projectId: number, sha: string): Promise<string | undefined> {
    if ((await this.commitOf(projectId, sha)) === undefined) return undefined
    const wanted = ['--count=1', '--format=%(refname:lstrip=2)', `--contains=${sha}`]
    const args = ['--git-dir', this.path(projectId), 'for-each-ref', ...wanted, 'refs/heads/']
    const output = await this.withSlot(projectId, 'reading', () => runGit(args))
    return output.trimEnd() || undefined
  }

  /** Branches or tags by name, with their commits. */
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

  /** Sets the branch that a clone checks out. */
  async setHead(projectId: number, branch: string): Promise<void> {
    await this.git(projectId, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`])
  }

  /** Closes the processes of the object readers. */
  async close(): Promise<void> {
    await this.readers.close()
  }

  private async resolve(projectId: number, kind: RefKind, name: string): Promise<ResolvedRef | undefined> {
    if (!isRefName(name)) return undefined
    const object = await this.read(projectId, `${prefixOf(kind)}${name}^{commit}`, MAX_COMMIT_BYTES)
    if (!object) await this.refuseDamaged(`${prefixOf(kind)}${name}`, this.path(projectId))
    return object && { ref: name, type: kind, sha: object.id }
  }

  /** Throws `GitError` if the ref exists: what it names could not be read. */
  private async refuseDamaged(ref: string, gitDir: string): Promise<void> {
    const stored = await storedRef(gitDir, ref)
    if (stored?.kind === 'broken') throw brokenRef(ref)
    if (stored && !(await this.readers.of(gitDir).read(stored.id, MAX_COMMIT_BYTES)))
      throw unreadableObject(stored.id)
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
