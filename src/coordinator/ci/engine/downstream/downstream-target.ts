import type { PlannedTrigger } from '../../../../ci-config/plan.js'
import { ZERO_ID } from '../../../../git/names.js'
import type { ProjectRow } from '../../../database/tables/pipeline-rows.js'
import type { PipelineRequest } from '../create/pipeline-request.js'
import type { EngineDeps } from '../engine-deps.js'
import type { VariablesOfJob } from '../jobs/job-variables.js'
import { type StoredJob } from '../jobs/stored-job.js'
import { findMergeRequest } from '../merge-request-store.js'
import { runnableRef } from '../permissions/runnable-ref.js'
import { type Refusal, refused } from './refusal.js'

type TargetDeps = Pick<EngineDeps, 'database' | 'repositories' | 'outside'>

/** The commit that a downstream pipeline is for. */
export interface Target {
  kind: 'target'
  on: Pick<PipelineRequest, 'project' | 'ref' | 'refType' | 'sha' | 'beforeSha' | 'mergeRequest'>
}

/** Minimum access level to read code (API, A15). */
const CODE_READER = 20

/**
 * The target of a trigger job, or the reason why its user may not start a pipeline there (CI language, 13.2).
 * A child pipeline uses the commit of its parent. Whether the user may still run that commit is checked when
 * the pipeline is created.
 */
export async function downstreamTarget(
  deps: TargetDeps,
  bridge: StoredJob,
  trigger: PlannedTrigger,
  seen: VariablesOfJob['seen'],
): Promise<Target | Refusal> {
  if (trigger.kind === 'child') return targetOfChild(deps, bridge)
  const path = seen.expand(trigger.project, 'empty')
  const project = await deps.outside.findProject(path)
  if (!project || (await deps.outside.levelOf(bridge.user, project)) < CODE_READER) {
    return refused(
      'downstream_bridge_project_not_found',
      `Project ${path} does not exist or you may not read it`,
    )
  }
  if (project.id === bridge.project.id) {
    return refused('invalid_bridge_trigger', 'A project starts a pipeline in itself with trigger:include')
  }
  const branch = trigger.branch === undefined ? undefined : seen.expand(trigger.branch, 'empty')
  return targetInProject(deps, bridge, project, branch || project.default_branch)
}

/** The child pipeline of a merge request's pipeline is for the merge request too (CI language, 13.2). */
async function targetOfChild({ database }: TargetDeps, { pipeline, project }: StoredJob): Promise<Target> {
  const { ref, tag, sha, before_sha } = pipeline
  const mergeRequest = await findMergeRequest(database, pipeline.merge_request_id)
  return {
    kind: 'target',
    on: { project, ref, refType: tag ? 'tag' : 'branch', sha, beforeSha: before_sha, mergeRequest },
  }
}

async function targetInProject(
  deps: TargetDeps,
  { user }: StoredJob,
  project: ProjectRow,
  branch: string | null,
): Promise<Target | Refusal> {
  if (branch === null) return refused('downstream_pipeline_creation_failed', 'Reference not found')
  const found = await runnableRef(deps, { by: 'pipeline', project, user }, branch)
  switch (found.kind) {
    case 'not-allowed':
      return refused('insufficient_bridge_permissions', found.message)
    case 'no-ref':
      return refused('downstream_pipeline_creation_failed', found.message)
    case 'ref':
      return {
        kind: 'target',
        on: { project, ref: found.ref, refType: found.type, sha: found.sha, beforeSha: ZERO_ID },
      }
  }
}
