import type { Default, Id, Timestamp } from '../columns.js'

/** A public SSH key of a machine, shared by the projects that have enabled it. */
export interface DeployKeyTable {
  id: Id
  creator_id: number | null
  title: string
  /** As given, without surrounding white space. */
  key: string
  /** MD5 of the key as `aa:bb:…`. */
  fingerprint: string
  /** `SHA256:…`; identifies the key. */
  fingerprint_sha256: string
  expires_at: Timestamp | null
  created_at: Timestamp
}

/** A project in which a deploy key is enabled. */
export interface DeployKeyProjectTable {
  deploy_key_id: number
  project_id: number
  can_push: Default<boolean>
}
