import { invalid } from '../../../../ci-config/errors.js'
import type { ConfigSources } from '../../../../ci-config/sources.js'
import type { EngineDeps } from '../engine-deps.js'

/** CI language, 18. */
const MAX_BYTES = 5 * 1024 * 1024

/**
 * Reads artifacts of the parent pipeline's jobs that generate the CI file of a child pipeline (CI language,
 * 4.1).
 */
export function parentArtifacts(
  { database, artifacts }: Pick<EngineDeps, 'database' | 'artifacts'>,
  pipelineId: number,
): ConfigSources['readArtifact'] {
  return async (name, path) => {
    const job = await database
      .selectFrom('job')
      .select('id')
      .where('pipeline_id', '=', pipelineId)
      .where('name', '=', name)
      .where('retried', '=', false)
      .executeTakeFirst()
    const read = job && (await artifacts.readArchived(job.id, path, MAX_BYTES))
    if (read === 'too-large') {
      throw invalid(`File \`${path}\` of the job \`${name}\` is larger than ${MAX_BYTES / 1024 / 1024} MiB!`)
    }
    return read?.toString('utf8')
  }
}
