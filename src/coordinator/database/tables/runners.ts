import type { Default, DefaultJson, Id, Json, Timestamp } from '../columns.js'

export type RunnerType = 'instance_type' | 'group_type' | 'project_type'

export interface RunnerTable {
  id: Id
  runner_type: RunnerType
  /** Group of a group runner. */
  group_id: number | null
  /** SHA-256 of the authentication token, in hexadecimal. */
  token_digest: string
  token_expires_at: Timestamp | null
  description: string | null
  active: Default<boolean>
  locked: Default<boolean>
  run_untagged: Default<boolean>
  access_level: Default<'not_protected' | 'ref_protected'>
  /** In seconds. */
  maximum_timeout: number | null
  tag_list: Json<string[]>
  maintenance_note: string | null
  /** If several runners wait for a job, the one with the greatest weight gets it. */
  weight: Default<number>
  creator_id: number | null
  created_at: Timestamp
  /** Time of the last change of its settings; null = unchanged since its creation. */
  updated_at: Timestamp | null
  /** Written every few minutes at most, so an idle runner costs no write per request. */
  contacted_at: Timestamp | null
  /** Name and version of the runner program. */
  name: string | null
  version: string | null
  revision: string | null
  platform: string | null
  architecture: string | null
  ip_address: string | null
}

/**
 * A runner manager: a machine that uses the token of a runner, identified by its system ID (runner protocol,
 * 1.2).
 */
export interface RunnerManagerTable {
  id: Id
  runner_id: number
  /** `<legacy>` for clients that send none. */
  system_id: string
  /** Name and version of the runner program. */
  name: string | null
  version: string | null
  revision: string | null
  platform: string | null
  architecture: string | null
  executor: string | null
  shell: string | null
  features: Json<Record<string, unknown>>
  config: DefaultJson<Record<string, unknown>>
  labels: DefaultJson<Record<string, string>>
  ip_address: string | null
  contacted_at: Timestamp
  created_at: Timestamp
}

export interface RunnerProjectTable {
  runner_id: number
  project_id: number
}
