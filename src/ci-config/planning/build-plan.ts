import { stageOf } from '../checks/check-jobs.js'
import { refuseCycles } from '../checks/find-cycle.js'
import { type JobEntry, writtenName } from '../entries/job.js'
import type { Config } from '../entries/read-config.js'
import { EDGE_STAGES } from '../entries/stages.js'
import { ConfigError, invalid, type Problem } from '../errors.js'
import { withJobInputs } from '../inputs/job-input-blocks.js'
import { limits } from '../limits.js'
import type { CompileResult, PipelineContext, Plan, PlannedJob } from '../plan.js'
import { type FileSources, KnownFiles } from '../selection/known-files.js'
import type { ConfigSources } from '../sources.js'
import { ExpansionBudget } from '../variables/expansion-budget.js'
import type { VariableCollection } from '../variables/variable-collection.js'
import { missingNeeds, presentNeeds, tooManyNeeds } from './needs-in-plan.js'
import { planJob, plannedLines } from './plan-job.js'
import { problemOfPriority } from './priority-variable.js'
import { runWorkflow, type WorkflowOutcome } from './run-workflow.js'
import { type SelectedJob, selectJobs } from './select-jobs.js'
import type { SelectionObserver } from './selection-observer.js'
import { withEffects } from './with-effects.js'

const EMPTY =
  'The resulting pipeline would have been empty. Review the rules configuration for the relevant jobs.'

const FILTERED = 'Pipeline filtered out by workflow rules.'

/**
 * The jobs of one event, in stage order (CI language, 9.7). Throws `ConfigError` if a rule cannot be
 * evaluated or a needed job is missing.
 */
export async function buildPlan(
  config: Config,
  context: PipelineContext,
  sources: FileSources & Pick<ConfigSources, 'pipelineIid'>,
  observer?: SelectionObserver,
): Promise<CompileResult> {
  refuseTooMuch(config)
  const files = new KnownFiles(sources)
  const workflow = await runWorkflow(config, context, files, observer)
  if (!workflow) return { kind: 'filtered', message: FILTERED }
  const selected = await selectJobs(await numbered(workflow, sources), files, observer)
  refuseProblems(selected, context.needsLimit)
  if (selected.every(({ job }) => EDGE_STAGES.has(stageOf(job)))) return { kind: 'empty', message: EMPTY }
  return { kind: 'plan', plan: planOf(selected, workflow) }
}

/** Jobs know the number of their pipeline; its workflow does not. */
async function numbered(
  workflow: WorkflowOutcome,
  { pipelineIid }: Pick<ConfigSources, 'pipelineIid'>,
): Promise<WorkflowOutcome> {
  if (!pipelineIid) return workflow
  const { context } = workflow
  const { variables } = context
  const predefinedForJobs = [
    ...(variables.predefinedForJobs ?? []),
    { key: 'CI_PIPELINE_IID', value: String(await pipelineIid()) },
  ]
  return { ...workflow, context: { ...context, variables: { ...variables, predefinedForJobs } } }
}

function planOf(selected: readonly SelectedJob[], { config, name, autoCancel }: WorkflowOutcome): Plan {
  const positions = new Map(config.stages.map((stage, index) => [stage, index]))
  const names = new Set(selected.map(({ job }) => job.name))
  const jobs = selected.map(({ job, effects, variables }): PlannedJob => {
    const position = positions.get(stageOf(job)) ?? 0
    const planned = planJob(withEffects(job, effects), config, position, variables)
    return { ...planned, needs: presentNeeds(planned.needs, names) }
  })
  // Rules may close a circle among needs that the file as a whole does not have.
  refuseCycles(new Map(jobs.map((job) => [job.name, job.needs.map((need) => need.name)])))
  refuseLargeInputs(jobs)
  return {
    stages: [...config.stages],
    jobs: jobs.sort((one, other) => one.stageIndex - other.stageIndex),
    warnings: config.warnings.map(({ message }) => message),
    ...(name !== undefined && { name }),
    autoCancel,
  }
}

function refuseProblems(selected: readonly SelectedJob[], needsLimit: number | undefined): void {
  const names = new Set(selected.map(({ job }) => job.name))
  const problems = selected.flatMap(({ job, effects, variables }) => [
    ...missingNeeds(job, names, needsLimit),
    ...tooManyNeeds(job, effects.needs, needsLimit),
    ...variableCycle(job, variables.seen),
    ...problemOfPriority(job, variables.seen),
  ])
  if (problems.length > 0) throw new ConfigError(problems)
}

function variableCycle(job: JobEntry, variables: VariableCollection): Problem[] {
  const cycle = variables.cycle()
  return cycle === undefined
    ? []
    : [{ message: `${job.name}: ${cycle}`, path: [writtenName(job), 'variables'] }]
}

/**
 * Interpolating the default inputs is left to the dispatch of a job; here it is only checked that the result
 * is not too long.
 */
function refuseLargeInputs(jobs: readonly PlannedJob[]): void {
  const budget = new ExpansionBudget()
  for (const { options } of jobs) withJobInputs(options, budget)
}

/** Checks the limits before the jobs are built, because inherited settings multiply by the number of jobs. */
function refuseTooMuch(config: Config): void {
  const lines = config.jobs.reduce((sum, job) => sum + plannedLines(job, config), 0)
  if (lines <= limits.plannedLines) return
  throw invalid(
    `The pipeline is too big: its jobs contain more than ${limits.plannedLines} script lines and variables`,
  )
}
