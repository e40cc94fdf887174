import type { ProjectRow, UserRow } from '../../database/tables/pipeline-rows.js'
import type { PipelineRequest } from '../engine/create/create-pipeline.js'
import type { EngineDeps, ResolvedRef } from '../engine/engine-deps.js'
import { type ScheduleRow, variablesOfSchedule } from './store.js'

const NO_COMMIT = '0'.repeat(40)

/**
 * Builds the pipeline request of a schedule. Its variables have the same precedence as those of a user who
 * starts a pipeline (CI language, 8.1).
 */
export async function pipelineRequest(
  { database, secrets }: Pick<EngineDeps, 'database' | 'secrets'>,
  { id, description, inputs }: ScheduleRow,
  { project, user, on }: { project: ProjectRow; user: UserRow; on: ResolvedRef },
): Promise<PipelineRequest> {
  const variables = await variablesOfSchedule(database, id)
  return {
    project,
    user,
    ref: on.ref,
    refType: on.type,
    sha: on.sha,
    beforeSha: NO_COMMIT,
    source: 'schedule',
    schedule: { id, description },
    inputs,
    variables: variables.map(({ key, value_encrypted, variable_type }) => ({
      key,
      variable_type,
      value: secrets.decrypt(value_encrypted),
    })),
  }
}
