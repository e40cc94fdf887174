import type { Id, Timestamp } from '../columns.js'

export interface SecureFileTable {
  id: Id
  project_id: number
  name: string
  /** Bytes, before they were encrypted. */
  size: number
  /** Of the bytes before they were encrypted, hex. */
  sha256: string
  blob_key: string
  /** Opens the blob, together with the key of the coordinator. */
  seal: string
  created_at: Timestamp
}
