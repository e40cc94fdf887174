import type { User } from '../../access/caller.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { PipelineRow } from '../../database/tables/pipeline-rows.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import type { DetailedSchedule, Schedule, ScheduleSummary, ScheduleVariable } from './schema.js'
import type { ScheduleRow, ScheduleVariableRow } from './store.js'

export function presentScheduleSummary(
  row: ScheduleRow,
  owner: User | undefined,
  externalUrl: string,
): ScheduleSummary {
  const { id, description, ref, cron, cron_timezone, active, last_failure } = row
  return {
    id,
    description,
    ref,
    cron,
    cron_timezone,
    next_run_at: isoTimeOrNull(row.next_run_at),
    active,
    last_failure,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    owner: owner ? presentUser(owner, externalUrl) : null,
  }
}

export function presentLastPipeline(pipeline: PipelineRow | undefined): Schedule['last_pipeline'] {
  if (!pipeline) return null
  const { id, sha, ref, status } = pipeline
  return { id, sha, ref, status }
}

/** The last pipeline in a list with details. */
export function presentDetailedPipeline(
  pipeline: PipelineRow | undefined,
): DetailedSchedule['last_pipeline'] {
  if (!pipeline) return null
  const { id, sha, ref, status, created_at } = pipeline
  return { id, sha, ref, status, created_at: isoTime(created_at) }
}

/** References in values are always expanded: no variable is raw. */
export function presentScheduleVariable(row: ScheduleVariableRow, secrets: SecretBox): ScheduleVariable {
  const { key, variable_type } = row
  return { key, variable_type, value: secrets.decrypt(row.value_encrypted), raw: false }
}
