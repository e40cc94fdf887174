import type { Id, Timestamp } from '../columns.js'

/** A Git LFS object of a project. Its content is the blob `projects/<project_id>/lfs/<oid>`. */
export interface LfsObjectTable {
  id: Id
  project_id: number
  /** SHA-256 of the content: 64 lower-case hexadecimal digits. */
  oid: string
  /** In bytes. */
  size: number
  created_at: Timestamp
}

/** A file that only one user may change. */
export interface LfsLockTable {
  id: Id
  project_id: number
  /** Path in the repository. */
  path: string
  user_id: number
  locked_at: Timestamp
}
