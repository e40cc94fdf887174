import type { Id, Timestamp } from '../columns.js'

/** A site that a job publishes: a folder of a copy of its artifacts. */
export interface SiteDeploymentTable {
  id: Id
  project_id: number
  /** Null after the job was deleted. */
  job_id: number | null
  /** `requested`: the job has succeeded, and its artifacts are still to be copied. `failed`: `problem` says why. */
  state: 'requested' | 'published' | 'failed'
  /** First segment of the path below the address of the site; empty for the main one. Unexpanded while requested. */
  path_prefix: string
  /** Folder in the archive; empty for the whole archive. */
  root: string
  /** As the CI file has it; null = for ever, or for a preview some time. */
  expire_in: string | null
  problem: string | null
  /** Empty unless published. */
  blob_key: string
  /** Of the archive, in bytes. */
  size: number
  sha256: string
  created_at: Timestamp
  /** Null = never. */
  expires_at: Timestamp | null
}
