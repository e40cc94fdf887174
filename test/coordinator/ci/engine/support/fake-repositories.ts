import {
  Repositories,
  type ResolvedRef,
} from '../../../../../src/coordinator/hosting/repositories/repositories.js'
import { branchOrTag } from '../../../../../src/git/names.js'
import type { Commit } from '../../../../../src/git/parse-commit.js'

/** Commits in memory instead of git. Every commit has the same file. */
export class FakeRepositories extends Repositories {
  ciFile: string | undefined
  /** Other files, by their path, or by `<project id>:<path>` for one project alone. */
  readonly files = new Map<string, string>()
  message = 'A commit'
  /** Branches that do not exist; all others do. */
  readonly missingRefs = new Set<string>()
  /** The only tags, by their short names. */
  readonly tags = new Set<string>()
  /** The commit that every ref points to. */
  head = SHA
  /** The branch that has every commit. */
  containing: string | undefined = 'main'
  /** Paths that differ between any two commits. */
  changed: string[] = []
  /** `<sha>..<sha>` of the commits that were compared. */
  readonly compared = new Set<string>()
  /** `<pipeline id>:<sha>` of each created ref. */
  readonly pipelineRefs: string[] = []

  constructor() {
    super('/nonexistent')
  }

  /** Forgets what a test has set, and the methods that it has replaced. */
  reset(): void {
    for (const name of Object.keys(this)) Reflect.deleteProperty(this, name)
    Object.assign(this, new FakeRepositories())
  }

  override async readFile(projectId: number, _sha: string, path: string): Promise<string | undefined> {
    const file = this.files.get(`${projectId}:${path}`) ?? this.files.get(path)
    if (file !== undefined) return file
    return path === '.gitlab-ci.yml' ? this.ciFile : undefined
  }

  override async listFiles(): Promise<string[]> {
    return this.ciFile === undefined ? [] : ['.gitlab-ci.yml']
  }

  override async changedFiles(_projectId: number, from: string, to: string): Promise<string[]> {
    this.compared.add(`${from}..${to}`)
    return this.changed
  }

  override async mergeBase(_projectId: number, one: string): Promise<string> {
    return one
  }

  override async commitsSince(_projectId: number, _from: string, to: string): Promise<string[]> {
    return [to]
  }

  override async resolveCommit(_projectId: number, revision: string): Promise<string | undefined> {
    return this.missingRefs.has(revision) ? undefined : SHA
  }

  override async branchContaining(): Promise<string | undefined> {
    return this.containing
  }

  override async listTags(): Promise<string[]> {
    return []
  }

  override async resolveRef(_projectId: number, ref: string): Promise<ResolvedRef | undefined> {
    const full = branchOrTag(ref)
    const name = full?.name ?? ref
    const isMissing = this.missingRefs.has(ref) || this.missingRefs.has(name)
    const isBranch = full?.kind !== 'tag' && !isMissing
    if (isBranch) return { ref: name, type: 'branch', sha: this.head }
    const isTag = full?.kind !== 'branch' && this.tags.has(name)
    return isTag ? { ref: name, type: 'tag', sha: this.head } : undefined
  }

  override async readCommit(_projectId: number, sha: string): Promise<Commit> {
    return {
      id: sha,
      parentIds: [],
      title: this.message,
      message: this.message,
      authorName: 'A',
      authorEmail: 'a@example.com',
      authoredDate: '2026-01-01T00:00:00+00:00',
      committerName: 'A',
      committerEmail: 'a@example.com',
      committedDate: '2026-01-01T00:00:00+00:00',
    }
  }

  override async tagMessage(): Promise<undefined> {
    return undefined
  }

  override async objectIds(): Promise<string[]> {
    return []
  }

  override async lastCommits(): Promise<string[]> {
    return []
  }

  override async createPipelineRef(_projectId: number, pipelineId: number, sha: string): Promise<void> {
    this.pipelineRefs.push(`${pipelineId}:${sha}`)
  }

  override async deletePipelineRefs(_projectId: number, pipelineIds: readonly number[]): Promise<void> {
    const isLeft = (ref: string) => !pipelineIds.includes(Number(ref.split(':')[0]))
    this.pipelineRefs.splice(0, Infinity, ...this.pipelineRefs.filter(isLeft))
  }
}

export const SHA = 'a'.repeat(40)
export const NO_SHA = '0'.repeat(40)
