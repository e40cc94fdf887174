import { may } from '../../../../access/access.js'
import type { Project, User } from '../../../../access/caller.js'
import type { Database } from '../../../../database/connect.js'
import type { JobRow } from '../../../../database/tables/pipeline-rows.js'
import { mayReadArtifacts } from '../../../engine/artifact-readers.js'
import { findJob } from '../../../engine/job-store.js'
import type { Artifact, Artifacts } from '../../../storage/artifacts/artifacts.js'
import type { View } from './view-address.js'

export interface ViewReaderDeps {
  database: Database
  artifacts: Artifacts
  findProject: (idOrPath: string) => Promise<Project | undefined>
  findUser: (idOrName: string) => Promise<User | undefined>
  accessOf: (user: User | undefined, project: Project) => Promise<{ accessLevel: number; membership: number }>
}

/** What a view may be used for now. */
export type ViewReading =
  | { kind: 'readable'; archive: Artifact }
  /** The user may still read the files, at another address. */
  | { kind: 'expired'; project: Project; job: JobRow }
  /** The job, or the files of it, are deleted. */
  | { kind: 'gone' }
  /** The rights of the user have changed since. */
  | { kind: 'forbidden' }

/** Checks again what was checked when the view was signed. */
export async function readView(deps: ViewReaderDeps, view: View, now = Date.now()): Promise<ViewReading> {
  const user = view.user === null ? undefined : await deps.findUser(String(view.user))
  if (view.user !== null && user?.state !== 'active') return { kind: 'forbidden' }
  const job = await findJob(deps.database, view.job)
  const project = job && (await deps.findProject(String(job.project_id)))
  if (!job || !project) return { kind: 'gone' }
  const access = await deps.accessOf(user, project)
  const mayRead =
    may('read_pipelines', { project, ...access }) &&
    mayReadArtifacts(access.accessLevel, job.options.artifacts)
  if (!mayRead) return { kind: 'forbidden' }
  if (view.until <= now) return { kind: 'expired', project, job }
  const archive = await deps.artifacts.find(job.id)
  return archive ? { kind: 'readable', archive } : { kind: 'gone' }
}
