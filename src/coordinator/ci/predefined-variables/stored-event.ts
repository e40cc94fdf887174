import type { ContextVariable } from '../../../ci-config/context-variable.js'
import { listOf } from '../../../ci-config/variables/list-of.js'
import type { JobRow, PipelineRow, ProjectRow } from '../../database/tables/pipeline-rows.js'
import type { EventFacts, ServerIdentity } from './event-facts.js'

/** The facts of the event that a pipeline stores. */
export function eventOf(
  pipeline: Pick<
    PipelineRow,
    'ref' | 'tag' | 'sha' | 'before_sha' | 'source' | 'protected' | 'deploy_freeze'
  >,
): Pick<EventFacts, 'ref' | 'refType' | 'sha' | 'beforeSha' | 'source' | 'isProtected' | 'isDeployFreeze'> {
  return {
    ref: pipeline.ref,
    refType: pipeline.tag ? 'tag' : 'branch',
    sha: pipeline.sha,
    beforeSha: pipeline.before_sha,
    source: pipeline.source,
    isProtected: pipeline.protected,
    isDeployFreeze: pipeline.deploy_freeze,
  }
}

/**
 * Variables that only stored pipelines and jobs have: their ids, and URLs that contain them (CI language,
 * 8.7).
 */
export function idVariables({
  server,
  project,
  pipeline,
  job,
}: {
  server: Pick<ServerIdentity, 'externalUrl'>
  project: Pick<ProjectRow, 'full_path'>
  pipeline: Pick<PipelineRow, 'id'>
  job: Pick<JobRow, 'id'>
}): ContextVariable[] {
  const url = `${server.externalUrl}/${project.full_path}`
  return listOf({
    CI_PIPELINE_ID: pipeline.id,
    CI_PIPELINE_URL: `${url}/-/pipelines/${pipeline.id}`,
    CI_JOB_ID: job.id,
    CI_JOB_URL: `${url}/-/jobs/${job.id}`,
  })
}
