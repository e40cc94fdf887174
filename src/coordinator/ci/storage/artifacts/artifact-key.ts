import { randomUUID } from 'node:crypto'

/** The job that an artifact belongs to; a job row fits. */
export interface ArtifactOwner {
  id: number
  project_id: number
}

/** Where everything lies that a job has left, apart from its log. */
export function artifactFolder(job: ArtifactOwner): string {
  return `artifacts/${job.project_id}/${job.id}`
}

/** For a new blob of the job. */
export function newArtifactKey(job: ArtifactOwner): string {
  return `${artifactFolder(job)}/${randomUUID()}`
}
