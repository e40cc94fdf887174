import type { Database } from '../../../database/connect.js'
import { preparedRead } from '../../../database/prepared-read.js'
import type { Placeholder } from '../../../database/prepared-statement.js'
import type { Dependent } from './ready-dependents.js'

/** With more of them, the whole graph costs less. */
const MAX_DEPENDENTS = 50

/** The created jobs of a pipeline that need one of these jobs. Undefined if there are more than 50. */
export async function findDependents(
  database: Database,
  needed: { pipelineId: number; names: readonly string[] },
): Promise<Dependent[] | undefined> {
  const dependents = new Map<number, Dependent>()
  for (const row of await needsOfDependents(database, needed)) {
    const isSpecial = row.resource_group_id !== null || row.environment_action !== null
    const dependent = dependents.get(row.id) ?? { id: row.id, when: row.when, isSpecial, needed: [] }
    dependents.set(row.id, dependent)
    if (row.status !== null && row.allow_failure !== null)
      dependent.needed.push({ status: row.status, allowFailure: row.allow_failure })
  }
  return dependents.size > MAX_DEPENDENTS ? undefined : [...dependents.values()]
}

type Holes = { pipelineId: Placeholder<number>; names: Placeholder<string>[] }

/** A row for each need. A needed job that is not in the pipeline has no status. */
const needsOfDependents = preparedRead((database, { pipelineId, names }: Holes) =>
  database
    .selectFrom(({ selectFrom }) =>
      selectFrom('job_need as asked')
        .innerJoin('job', 'job.id', 'asked.job_id')
        .select(['job.id', 'job.when', 'job.resource_group_id', 'job.environment_action'])
        .distinct()
        .where('asked.pipeline_id', '=', pipelineId)
        .where('asked.name', 'in', names)
        .where('job.retried', '=', false)
        .where('job.status', '=', 'created')
        .limit(MAX_DEPENDENTS + 1)
        .as('dependent'),
    )
    .innerJoin('job_need as need', 'need.job_id', 'dependent.id')
    .leftJoin('job as needed', (join) =>
      join
        .onRef('needed.pipeline_id', '=', 'need.pipeline_id')
        .onRef('needed.name', '=', 'need.name')
        .on('needed.retried', '=', false),
    )
    .select([
      'dependent.id',
      'dependent.when',
      'dependent.resource_group_id',
      'dependent.environment_action',
      'needed.status',
      'needed.allow_failure',
    ]),
)
