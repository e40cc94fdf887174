import { Repositories, type ResolvedRef } from '../../../src/coordinator/hosting/repositories/repositories.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'

/** Repositories on disk that record which were created and deleted, and that report these branches as existing. */
export class RecordedRepositories extends Repositories {
  readonly created: number[] = []
  readonly deleted: number[] = []

  private constructor(
    root: string,
    private readonly branches: string[],
  ) {
    super(root)
  }

  static async open(branches: string[] = []): Promise<RecordedRepositories> {
    const repositories = new RecordedRepositories(await tempDir(), branches)
    onFinished(() => repositories.close())
    return repositories
  }

  override async create(projectId: number): Promise<void> {
    await super.create(projectId)
    this.created.push(projectId)
  }

  override async delete(projectId: number): Promise<void> {
    await super.delete(projectId)
    this.deleted.push(projectId)
  }

  /** The branches have no commits. */
  override async compareForMergeRequest(
    _pair: object,
    { target }: { target: string },
  ): Promise<{ base: string; commits: number; files: number }> {
    return Promise.resolve({ base: target, commits: 0, files: 0 })
  }

  override async resolveRef(projectId: number, ref: string): Promise<ResolvedRef | undefined> {
    const isTaken = this.branches.some((branch) => ref === `refs/heads/${branch}`)
    return isTaken ? { ref, type: 'branch', sha: '0'.repeat(40) } : super.resolveRef(projectId, ref)
  }
}
