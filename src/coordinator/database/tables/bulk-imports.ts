import type { Default, Id, Timestamp } from '../columns.js'

/** Of an import, and of each of its groups and projects. */
type BulkImportStatus = 'created' | 'started' | 'finished' | 'failed' | 'canceled'

/** An import of groups and projects from another server. */
export interface BulkImportTable {
  id: Id
  /** The user who started it, with whose rights it is made. */
  user_id: number
  /** Address of the source, without a trailing slash. */
  source_url: string
  /** Access token of the source; null once the import has ended. */
  token_encrypted: string | null
  /** Whether it only reports what it would import. */
  dry_run: Default<boolean>
  status: Default<BulkImportStatus>
  error: string | null
  /** End of the claim of a worker; null = unclaimed. */
  claimed_until: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
  finished_at: Timestamp | null
}

/** A group or project of an import. */
export interface BulkImportEntityTable {
  id: Id
  bulk_import_id: number
  /** The group in which it was found; null if it was requested. */
  parent_id: number | null
  source_type: 'group_entity' | 'project_entity'
  source_full_path: string
  /** ID on the source; null until it was read. */
  source_id: number | null
  /** Path of the new group or project, without its namespace. */
  destination_slug: string
  /** Full path of the namespace; empty for the top level. */
  destination_namespace: string
  migrate_projects: Default<boolean>
  migrate_memberships: Default<boolean>
  /** Number of groups above it in the import. */
  depth: Default<number>
  status: Default<BulkImportStatus>
  error: string | null
  /** The step that is being made; null = the first one. */
  step: string | null
  /** The page of the source at which that step continues; null = the first one. */
  position: string | null
  group_id: number | null
  project_id: number | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** `present`: it was there already. `left_out`: it is never imported. `failed`: it could not be. */
export type BulkImportOutcome = 'imported' | 'present' | 'left_out' | 'failed'

/** What became of one object of the source. */
export interface BulkImportItemTable {
  id: Id
  entity_id: number
  /** Kind of the object: `issues`, `labels`. */
  kind: string
  /** Identifies the object among those of its kind and entity on the source. */
  source_key: string
  /** For the report. */
  name: string | null
  outcome: BulkImportOutcome
  reason: string | null
  /** ID of the copy, if later imports need it. */
  target_id: number | null
  created_at: Timestamp
}
