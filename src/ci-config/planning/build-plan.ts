import { stageOf } from '../checks/check-jobs.js'
import type { JobEntry } from '../entries/job.js'
import type { Config } from '../entries/read-config.js'
import { EDGE_STAGES } from '../entries/stages.js'
import { ConfigError, invalid } from '../errors.js'
import { limits } from '../limits.js'
import type { CompileResult, PipelineContext, Plan, PlannedJob } from '../plan.js'
import { isSelected } from '../selection/select-job.js'
import { missingNeeds, presentNeeds } from './needs-in-plan.js'
import { planJob, plannedLines } from './plan-job.js'

const EMPTY =
  'The resulting pipeline would have been empty. Review the rules configuration for the relevant jobs.'

/** The jobs of one event, in stage order (CI language, 9.7). Throws `ConfigError` when a needed job is left out. */
export function buildPlan(config: Config, context: PipelineContext): CompileResult {
  const selected = config.jobs.filter((job) => isSelected(job, context))
  refuseTooMuch(selected, config)
  const names = new Set(selected.map(({ name }) => name))
  const problems = selected.flatMap((job) => missingNeeds(job, names))
  if (problems.length > 0) throw new ConfigError(problems)
  if (selected.every((job) => EDGE_STAGES.has(stageOf(job)))) return { kind: 'empty', message: EMPTY }
  return { kind: 'plan', plan: planOf(selected, names, config, context) }
}

function planOf(
  selected: JobEntry[],
  names: ReadonlySet<string>,
  config: Config,
  context: PipelineContext,
): Plan {
  const positions = new Map(config.stages.map((stage, index) => [stage, index]))
  const jobs = selected.map((job): PlannedJob => {
    const planned = planJob(job, config, positions.get(stageOf(job)) ?? 0, context)
    return { ...planned, needs: presentNeeds(planned.needs, names) }
  })
  return {
    stages: [...config.stages],
    jobs: jobs.sort((one, other) => one.stageIndex - other.stageIndex),
    warnings: config.warnings,
    autoCancel: { onNewCommit: 'conservative', onJobFailure: 'none' },
  }
}

function refuseTooMuch(jobs: JobEntry[], config: Config): void {
  const lines = jobs.reduce((sum, job) => sum + plannedLines(job, config), 0)
  if (lines <= limits.plannedLines) return
  throw invalid(
    `The pipeline is too big: its jobs hold more than ${limits.plannedLines} script lines and variables`,
  )
}
