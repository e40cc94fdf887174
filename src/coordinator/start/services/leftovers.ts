import type { Logger } from '../../../lib/logger.js'
import { setAside } from '../../ci/storage/set-aside.js'
import type { TraceOwner, Traces } from '../../ci/storage/traces.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'

export interface LeftoverDeps {
  sharedDir: string
  traces: Traces
  repositories: readonly Repositories[]
  groupWikiRepositories: Repositories
  logger: Logger
}

/** Folders with one folder for each project. */
const FOLDERS = ['traces', 'uploads', 'blobs/projects', 'blobs/artifacts', 'blobs/caches', 'blobs/traces']

/**
 * Files under the number of a new row: of a project, group or job that the database does not know, because it was replaced by an
 * older copy, for example. The new row must not get them, and they are not deleted: they are moved away.
 */
export class Leftovers {
  constructor(private readonly deps: LeftoverDeps) {}

  /** Called before the row of the project is committed. */
  async ofProject(project: number): Promise<void> {
    for (const all of this.deps.repositories) this.report(await all.setAside(project), { project })
    const files = FOLDERS.map((folder) => `${folder}/${project}`)
    this.report(await setAside(this.deps.sharedDir, files), { project })
  }

  /** Called before the row of the group is committed. */
  async ofGroup(group: number): Promise<void> {
    this.report(await this.deps.groupWikiRepositories.setAside(group), { group })
  }

  /** Called when the job starts, which has no log yet. */
  ofJob({ id, project_id }: TraceOwner): void {
    this.deps.traces.setAside({ id, project_id }).then(
      (folder) => this.report(folder, { job: id }),
      (error: unknown) =>
        this.deps.logger.error(
          { err: error, job: id },
          'Failed to set aside the log of another job with this number',
        ),
    )
  }

  private report(
    folder: string | undefined,
    of: { project: number } | { group: number } | { job: number },
  ): void {
    if (folder === undefined) return
    const message =
      'Files of another project, group or job had the number of a new one, and were set aside. The database may be older'
    this.deps.logger.warn({ ...of, folder }, message)
  }
}
