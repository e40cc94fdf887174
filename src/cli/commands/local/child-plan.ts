import { inspect } from '../../../ci-config/compile.js'
import { ConfigError } from '../../../ci-config/errors.js'
import type { PipelineContext, Plan, PlannedTrigger } from '../../../ci-config/plan.js'
import type { ConfigSources } from '../../../ci-config/sources.js'
import { VariableCollection } from '../../../ci-config/variables/variable-collection.js'
import { childConfig, isMap } from '../../../coordinator/ci/engine/downstream/child-config.js'
import { passedInputs, passedVariables } from '../../../coordinator/ci/engine/downstream/passed-variables.js'
import type { JobVariable } from '../../../protocol/job-payload.js'
import { contextOf } from '../../working-directory/local-event.js'
import { LocalSources } from '../../working-directory/local-sources.js'
import type { WorkingDirectory } from '../../working-directory/working-directory.js'
import type { RunFacts } from './job-payload.js'
import type { LocalJob } from './local-pipeline.js'

export type ChildTrigger = PlannedTrigger & { kind: 'child' }

export interface ChildPlanRequest {
  /** With the commit of the snapshot. */
  directory: WorkingDirectory
  /** Belongs to the pipeline that contains the trigger job. */
  parent: RunFacts
  job: LocalJob
  trigger: ChildTrigger
  /** All variables of the trigger job. */
  variables: readonly JobVariable[]
  /** Reads the artifacts of jobs of the parent pipeline. */
  readArtifact: ConfigSources['readArtifact']
}

/** The plan of a child pipeline and its event, or the reasons why there is none. */
export type ChildPlan =
  | { kind: 'plan'; plan: Plan; facts: Pick<RunFacts, 'event' | 'variables'> }
  | { kind: 'refused'; errors: string[] }

/** Compiles the files of a trigger job as a coordinator would (CI language, 13.2 and 13.3). */
export async function compileChild(request: ChildPlanRequest): Promise<ChildPlan> {
  try {
    return await compile(request)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { kind: 'refused', errors: error.problems.map(({ message }) => message) }
  }
}

async function compile(request: ChildPlanRequest): Promise<ChildPlan> {
  const { directory, parent, job, trigger, readArtifact } = request
  const seen = VariableCollection.of(request.variables)
  const given = [...parent.variables].map(([key, value]) => ({ key, value }))
  const passed = passedVariables(trigger, job.planned.variables, { seen, given })
  const upstream = { pipelineId: parent.pipelineId, projectId: parent.event.project.id, jobId: job.id }
  const event = { ...parent.event, source: 'parent_pipeline', upstream }
  const variables = new Map(passed.map(({ key, value }) => [key, value]))
  const inputs = trigger.inputs === undefined ? undefined : passedInputs(trigger.inputs, seen)
  const commit = { projectPath: event.project.full_path, sha: event.sha }
  const { text, origin } = childConfig(trigger.include, isMap(inputs) ? inputs : undefined, commit)
  const context: PipelineContext = {
    ...contextOf(event, {
      source: event.source,
      variables,
      settings: parent.settings,
      configPath: origin.file,
    }),
    origin,
  }
  const { result } = await inspect(text, new LocalSources(directory, parent.outside, readArtifact), context)
  switch (result.kind) {
    case 'plan':
      return { kind: 'plan', plan: result.plan, facts: { event, variables } }
    case 'invalid':
      return { kind: 'refused', errors: result.errors }
    default:
      return { kind: 'refused', errors: [result.message] }
  }
}
