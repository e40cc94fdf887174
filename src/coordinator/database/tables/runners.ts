import type { Default, DefaultJson, Id, Json, Timestamp } from '../columns.js'

export type RunnerType = 'instance_type' | 'group_type' | 'project_type'

export interface RunnerTable {
  id: Id
  runner_type: RunnerType
  /** Of a group runner: the group that it works for. */
  group_id: number | null
  /** SHA-256 of the authentication token, hex. */
  token_digest: string
  token_expires_at: Timestamp | null
  description: string | null
  active: Default<boolean>
  locked: Default<boolean>
  run_untagged: Default<boolean>
  access_level: Default<'not_protected' | 'ref_protected'>
  /** Seconds. */
  maximum_timeout: number | null
  tag_list: Json<string[]>
  maintenance_note: string | null
  /** Of several runners that wait for a job the one with the greatest weight gets it. */
  weight: Default<number>
  creator_id: number | null
  created_at: Timestamp
  /** Of its settings; null = not since it was created. */
  updated_at: Timestamp | null
  /** Written at most every few minutes; an idle runner costs no write. */
  contacted_at: Timestamp | null
  /** Of the program. */
  name: string | null
  version: string | null
  revision: string | null
  platform: string | null
  architecture: string | null
  ip_address: string | null
}

/** One machine that uses a runner's token, told apart by its system id (runner protocol, 1.2). */
export interface RunnerManagerTable {
  id: Id
  runner_id: number
  /** `<legacy>` for clients that send none. */
  system_id: string
  /** Of the program. */
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
