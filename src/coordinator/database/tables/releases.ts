import type { Id, Timestamp } from '../columns.js'

/** A tag with what people should know of it (API, J). */
export interface ReleaseTable {
  id: Id
  project_id: number
  tag: string
  name: string
  description: string | null
  /** The commit of the tag when the release was made. */
  sha: string
  author_id: number | null
  /** The job that made it; null = none did. */
  job_id: number | null
  created_at: Timestamp
  updated_at: Timestamp
  /** May be in the future. */
  released_at: Timestamp
}

export const LINK_TYPES = ['other', 'runbook', 'image', 'package'] as const

/** Something elsewhere that belongs to a release. */
export interface ReleaseLinkTable {
  id: Id
  release_id: number
  name: string
  url: string
  /** Path below the release's downloads that leads there; begins with a slash. */
  filepath: string | null
  link_type: (typeof LINK_TYPES)[number]
  created_at: Timestamp
}
