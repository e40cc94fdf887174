import type { Selectable } from 'kysely'

import type { RunnerTable } from '../../../database/tables/runners.js'
import type { JobState } from '../outbox/pipeline-facts.js'
import type { PayloadDeps } from './payload-deps.js'

/** Runner blocks by runner ID. */
export async function runnerBlocks(
  { database }: PayloadDeps,
  jobs: readonly JobState[],
): Promise<Map<number, ReturnType<typeof runnerBlock>>> {
  const ids = [...new Set(jobs.flatMap(({ runner_id }) => runner_id ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await database.selectFrom('runner').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, runnerBlock(row)]))
}

function runnerBlock(runner: Selectable<RunnerTable>) {
  return {
    id: runner.id,
    description: runner.description,
    runner_type: runner.runner_type,
    active: runner.active,
    is_shared: runner.runner_type === 'instance_type',
    tags: runner.tag_list,
  }
}

export interface EnvironmentBlock {
  name: string
  action: string | null
  deployment_tier: string
}

/** Environment blocks by job ID, for jobs with an environment. */
export async function environmentBlocks(
  { database }: PayloadDeps,
  jobs: readonly JobState[],
): Promise<Map<number, EnvironmentBlock>> {
  const ids = [...new Set(jobs.flatMap(({ environment_id }) => environment_id ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('environment')
    .select(['id', 'name', 'tier'])
    .where('id', 'in', ids)
    .execute()
  const environments = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    jobs.flatMap(({ id, environment_id, environment_action: action }): [number, EnvironmentBlock][] => {
      const environment = environments.get(environment_id ?? 0)
      return environment ? [[id, { name: environment.name, action, deployment_tier: environment.tier }]] : []
    }),
  )
}

/** The pipeline whose job started this one; undefined for other pipelines. */
export async function sourcePipeline({ database, externalUrl }: PayloadDeps, pipelineId: number) {
  const origin = await database
    .selectFrom('downstream_pipeline')
    .innerJoin('project', 'project.id', 'downstream_pipeline.upstream_project_id')
    .select(['project.id', 'project.full_path'])
    .select(['downstream_pipeline.upstream_pipeline_id', 'downstream_pipeline.upstream_job_id'])
    .where('downstream_pipeline.pipeline_id', '=', pipelineId)
    .executeTakeFirst()
  if (!origin) return undefined
  const { id, full_path, upstream_pipeline_id, upstream_job_id } = origin
  return {
    project: { id, web_url: `${externalUrl}/${full_path}`, path_with_namespace: full_path },
    pipeline_id: upstream_pipeline_id,
    job_id: upstream_job_id,
  }
}
