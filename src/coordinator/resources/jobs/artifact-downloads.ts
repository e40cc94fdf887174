import type { Database } from '../../database/connect.js'
import type { JobRow } from '../../engine/rows.js'
import { badRequest, notFound } from '../../http/errors.js'
import type { Project, StreamAnswer } from '../../http/operation.js'
import { stream } from '../../http/operation.js'
import type { Artifact, Artifacts } from '../../storage/artifacts.js'
import { contentTypeOf } from './content-type.js'
import { attachment, sendArtifact } from './send-bytes.js'
import { findLatestJobNamed, findLatestSuccess } from './store.js'

export interface DownloadDeps {
  database: Database
  artifacts: Artifacts
}

/** The archive of a job; 404 when it has none. */
export async function downloadArchive(
  { artifacts }: DownloadDeps,
  job: JobRow,
  rangeHeader: string | undefined,
): Promise<StreamAnswer> {
  return sendArtifact(artifacts, await archiveOf(artifacts, job), rangeHeader)
}

/** One file of a job's archive; 400 for a path that leaves it. */
export async function downloadFile(
  { artifacts }: DownloadDeps,
  job: JobRow,
  path: string,
): Promise<StreamAnswer> {
  const result = await artifacts.openEntry(await archiveOf(artifacts, job), path)
  switch (result.kind) {
    case 'invalid-path':
      throw badRequest('Invalid path')
    case 'missing':
      throw notFound()
    case 'found': {
      const { body, size } = result.entry
      return stream(body, contentTypeOf(path), {
        'content-length': String(size),
        'content-disposition': attachment(path.slice(path.lastIndexOf('/') + 1)),
        'cache-control': 'no-store',
      })
    }
  }
}

/** The job of this name in the latest successful pipeline of a branch or tag; 404 when there is none. */
export async function findJobOfRef(
  { database }: DownloadDeps,
  project: Project,
  ref: string,
  name: string,
): Promise<JobRow> {
  const pipeline = await findLatestSuccess(database, project.id, ref)
  const job = pipeline && (await findLatestJobNamed(database, pipeline.id, name))
  if (!job) throw notFound()
  return job
}

async function archiveOf(artifacts: Artifacts, job: JobRow): Promise<Artifact> {
  const archive = await artifacts.find(job.id)
  if (!archive) throw notFound()
  return archive
}
