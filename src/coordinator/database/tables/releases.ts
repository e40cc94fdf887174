import type { Id, Timestamp } from '../columns.js'

/** A release: a tag with notes (API, J). */
export interface ReleaseTable {
  id: Id
  project_id: number
  tag: string
  name: string
  description: string | null
  /** The commit of the tag when the release was created. */
  sha: string
  author_id: number | null
  /** The job that created it; null = no job did. */
  job_id: number | null
  created_at: Timestamp
  updated_at: Timestamp
  /** May be in the future. */
  released_at: Timestamp
  /** Time at which its evidence is collected; null = it has been, or is not. */
  evidence_due_at: Timestamp | null
}

/** A snapshot of a release. */
export interface ReleaseEvidenceTable {
  id: Id
  release_id: number
  /** SHA-256 of `summary` in hexadecimal. */
  sha256: string
  /** JSON; never changed. */
  summary: string
  collected_at: Timestamp
}

export const LINK_TYPES = ['other', 'runbook', 'image', 'package'] as const

/** A link of a release to an external asset. */
export interface ReleaseLinkTable {
  id: Id
  release_id: number
  name: string
  url: string
  /** Path of the link below the downloads of the release; begins with a slash. */
  filepath: string | null
  link_type: (typeof LINK_TYPES)[number]
  created_at: Timestamp
}
