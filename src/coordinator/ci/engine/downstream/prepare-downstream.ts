import { ConfigError } from '../../../../ci-config/errors.js'
import type { PlannedTrigger } from '../../../../ci-config/plan.js'
import { MINUTE } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'
import { planLimit } from '../../../database/stores/plan-limit-store.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { PipelineRequest } from '../create/pipeline-request.js'
import type { EngineDeps } from '../engine-deps.js'
import {
  type Ancestry,
  countHierarchy,
  countStartedSince,
  findAncestry,
  isLoop,
} from '../hierarchy/ancestors.js'
import { type VariablesOfJob, variablesOfStoredJob } from '../jobs/job-variables.js'
import { type StoredJob } from '../jobs/stored-job.js'
import { childConfig, isMap } from './child-config.js'
import { downstreamTarget, type Target } from './downstream-target.js'
import { parentArtifacts } from './parent-artifacts.js'
import { passedInputs, passedVariables } from './passed-variables.js'
import { type Refusal, refused } from './refusal.js'

/** CI language, 18. */
const MAX_DEPTH = 2
const MAX_PER_MINUTE = 350

export interface DownstreamRequest {
  kind: 'request'
  request: PipelineRequest
  trigger: PlannedTrigger
  ancestry: Ancestry
}

/** The request of a trigger job, or the first reason to refuse it (CI language, 13.2). */
export async function prepareDownstream(
  deps: EngineDeps,
  bridge: StoredJob,
  trigger: PlannedTrigger,
): Promise<DownstreamRequest | Refusal> {
  const forOtherProject = trigger.kind === 'project'
  try {
    const variables = await variablesOfStoredJob(deps, bridge, { forOtherProject })
    const target = await downstreamTarget(deps, bridge, trigger, variables.seen)
    if (target.kind === 'refused') return target
    const ancestry = await findAncestry(deps.database, bridge.pipeline, trigger.kind)
    if (forOtherProject && (await isLoop(deps.database, bridge.pipeline))) {
      return refused('pipeline_loop_detected', 'Pipelines start each other in a loop')
    }
    const refusal = await checkHierarchyLimits(deps.database, bridge.pipeline, bridge.user.id, ancestry)
    if (refusal) return refusal
    return {
      kind: 'request',
      trigger,
      ancestry,
      request: requestFor(deps, bridge, { trigger, target, variables }),
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const errors = error.problems.map(({ message }) => message).join('\n')
    return refused('downstream_pipeline_creation_failed', errors)
  }
}

/**
 * The reason why a pipeline may not start another one, because it has started too many (CI language, 13.2 and
 * 18).
 */
export async function checkHierarchyLimits(
  database: Database,
  pipeline: PipelineRow,
  userId: number,
  { depth, hierarchyRootId }: Ancestry,
): Promise<Refusal | undefined> {
  if (depth > MAX_DEPTH) {
    const errors = `Child pipelines lie at most ${MAX_DEPTH} levels below the first one`
    return refused('reached_max_descendant_pipelines_depth', errors)
  }
  const most = await planLimit(database, 'pipeline_hierarchy_size')
  if (most > 0 && (await countHierarchy(database, hierarchyRootId)) >= most) {
    const errors = `A pipeline hierarchy may have at most ${most} pipelines`
    return refused('reached_max_pipeline_hierarchy_size', errors)
  }
  const started = await countStartedSince(database, pipeline, userId, Date.now() - MINUTE)
  if (started < MAX_PER_MINUTE) return undefined
  const errors = `Too many downstream pipelines started in the last minute (maximum is ${MAX_PER_MINUTE}). Try again later`
  return refused('reached_downstream_pipeline_trigger_rate_limit', errors)
}

function requestFor(
  deps: EngineDeps,
  { job, pipeline, project, user }: StoredJob,
  { trigger, target, variables }: { trigger: PlannedTrigger; target: Target; variables: VariablesOfJob },
): PipelineRequest {
  const given = trigger.inputs === undefined ? undefined : passedInputs(trigger.inputs, variables.seen)
  const inputs = isMap(given) ? given : undefined
  return {
    ...target.on,
    user,
    source: trigger.kind === 'child' ? 'parent_pipeline' : 'pipeline',
    variables: passedVariables(trigger, job.yaml_variables, variables),
    upstream: { pipelineId: pipeline.id, projectId: project.id, jobId: job.id },
    ...(trigger.kind === 'project' && inputs && { inputs }),
    ...(trigger.kind === 'child' && {
      config: childConfig(trigger.include, inputs, { projectPath: project.full_path, sha: pipeline.sha }),
      readArtifact: parentArtifacts(deps, pipeline.id),
    }),
  }
}
