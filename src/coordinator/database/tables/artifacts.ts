import type { Id, Timestamp } from '../columns.js'

export interface JobArtifactTable {
  id: Id
  project_id: number
  job_id: number
  /** `archive` or a report type. */
  file_type: string
  file_format: 'zip' | 'gzip' | 'raw'
  filename: string
  size: number
  /** In hexadecimal. */
  sha256: string
  blob_key: string
  /** Null = no expiry. */
  expire_at: Timestamp | null
  created_at: Timestamp
}
