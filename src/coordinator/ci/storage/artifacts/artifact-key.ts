import { randomUUID } from 'node:crypto'

/** The job of an artifact; a job row fits. */
export interface ArtifactOwner {
  id: number
  project_id: number
}

/** The folder of all files of a job except its log. */
export function artifactFolder(job: ArtifactOwner): string {
  return `artifacts/${job.project_id}/${job.id}`
}

/** A key for a new blob of the job. */
export function newArtifactKey(job: ArtifactOwner): string {
  return `${artifactFolder(job)}/${randomUUID()}`
}
