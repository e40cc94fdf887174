import type { Id, Timestamp } from '../columns.js'

export interface SecureFileTable {
  id: Id
  project_id: number
  name: string
  /** Size before encryption, in bytes. */
  size: number
  /** SHA-256 of the content before encryption, in hexadecimal. */
  sha256: string
  blob_key: string
  /** Decrypts the blob, together with the key of the coordinator. */
  seal: string
  created_at: Timestamp
}
