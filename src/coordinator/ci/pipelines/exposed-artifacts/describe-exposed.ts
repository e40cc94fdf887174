import pMap from 'p-map'

import { addressOf, encodePath } from '../../../../addresses/address-of.js'
import type { Project } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { mayReadArtifacts } from '../../engine/artifact-readers.js'
import type { Artifact, Artifacts } from '../../storage/artifacts/artifacts.js'
import type { ExposedArtifacts } from './schema.js'
import { findJobsWithArchive, type JobWithArchive, MAX_EXPOSED } from './store.js'

const ARCHIVES_AT_ONCE = 4

interface ExposedDeps {
  database: Database
  artifacts: Artifacts
  externalUrl: string
}

/** What the jobs of a pipeline expose, for a reader with this access level (CI language, 3.4). */
export async function describeExposed(
  { database, artifacts, externalUrl }: ExposedDeps,
  project: Project,
  pipelineId: number,
  accessLevel: number,
): Promise<ExposedArtifacts[]> {
  const jobs = await findJobsWithArchive(database, pipelineId)
  const exposed = jobs
    .filter(({ options }) => options.artifacts?.exposeAs !== undefined)
    .filter(({ options }) => mayReadArtifacts(accessLevel, options.artifacts))
    .slice(0, MAX_EXPOSED)
  const archives = await artifacts.ofJobs(exposed.map(({ id }) => id))
  const byJob = new Map(
    archives.filter(({ file_type }) => file_type === 'archive').map((archive) => [archive.job_id, archive]),
  )
  const described = await pMap(
    exposed,
    async (job) => {
      const archive = byJob.get(job.id)
      if (!archive) return []
      const { kind, path } = await placeIn(artifacts, archive, job)
      const url = externalUrl + pathOf(project.full_path, job.id, kind, path)
      return [{ text: job.options.artifacts?.exposeAs ?? '', url, kind, job_id: job.id, job_name: job.name }]
    },
    { concurrency: ARCHIVES_AT_ONCE },
  )
  return described.flat()
}

interface Place {
  kind: ExposedArtifacts['kind']
  path: string
}

/** One file or folder is shown itself. Of several, and of names that the runner has expanded, the top of the archive is. */
async function placeIn(
  artifacts: Artifacts,
  archive: Artifact,
  { options }: Pick<JobWithArchive, 'options'>,
): Promise<Place> {
  const [given = '', ...others] = options.artifacts?.paths ?? []
  const path = given.replace(/^\.\//, '').replace(/\/+$/, '')
  if (others.length > 0 || path === '' || path === '.') return { kind: 'folder', path: '' }
  if (await artifacts.hasEntry(archive, path))
    return { kind: /\.x?html?$/i.test(path) ? 'page' : 'file', path }
  if (await artifacts.hasEntry(archive, `${path}/index.html`)) return { kind: 'page', path: `${path}/` }
  return { kind: 'folder', path: (await artifacts.hasFolder(archive, path)) ? path : '' }
}

function pathOf(project: string, jobId: number, kind: Place['kind'], path: string): string {
  const id = String(jobId)
  switch (kind) {
    case 'page':
      return `${addressOf('jobs/job', { project, id })}/artifacts/open/${encodePath(path)}`
    case 'file':
      return addressOf('jobs/artifact', { project, id, path })
    case 'folder':
      return addressOf('jobs/artifacts', { project, id, path })
  }
}
