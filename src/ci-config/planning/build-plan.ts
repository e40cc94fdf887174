import { stageOf } from '../checks/check-jobs.js'
import type { JobEntry } from '../entries/job.js'
import type { Config } from '../entries/read-config.js'
import { EDGE_STAGES } from '../entries/stages.js'
import { ConfigError, invalid, type Problem } from '../errors.js'
import { limits } from '../limits.js'
import type { CompileResult, PipelineContext, Plan, PlannedJob } from '../plan.js'
import { isSelected } from '../selection/select-job.js'
import type { VariableCollection } from '../variables/variable-collection.js'
import { missingNeeds, presentNeeds } from './needs-in-plan.js'
import { planJob, plannedLines } from './plan-job.js'
import { type VariablesOfJob, variablesOfJob } from './variables-of-job.js'

const EMPTY =
  'The resulting pipeline would have been empty. Review the rules configuration for the relevant jobs.'

/** The jobs of one event, in stage order (CI language, 9.7). Throws `ConfigError` when a needed job is left out. */
export function buildPlan(config: Config, context: PipelineContext): CompileResult {
  const selected = config.jobs.filter((job) => isSelected(job, context))
  refuseTooMuch(selected, config)
  const names = new Set(selected.map(({ name }) => name))
  const variables = new Map(selected.map((job) => [job, variablesOfJob(job, config, context)]))
  const problems = [...variables].flatMap(([job, { seen }]) => [
    ...missingNeeds(job, names),
    ...variableCycle(job, seen),
  ])
  if (problems.length > 0) throw new ConfigError(problems)
  if (selected.every((job) => EDGE_STAGES.has(stageOf(job)))) return { kind: 'empty', message: EMPTY }
  return { kind: 'plan', plan: planOf(variables, names, config) }
}

function planOf(
  selected: ReadonlyMap<JobEntry, VariablesOfJob>,
  names: ReadonlySet<string>,
  config: Config,
): Plan {
  const positions = new Map(config.stages.map((stage, index) => [stage, index]))
  const jobs = [...selected].map(([job, variables]): PlannedJob => {
    const planned = planJob(job, config, positions.get(stageOf(job)) ?? 0, variables)
    return { ...planned, needs: presentNeeds(planned.needs, names) }
  })
  return {
    stages: [...config.stages],
    jobs: jobs.sort((one, other) => one.stageIndex - other.stageIndex),
    warnings: config.warnings,
    autoCancel: { onNewCommit: 'conservative', onJobFailure: 'none' },
  }
}

function variableCycle({ name }: JobEntry, variables: VariableCollection): Problem[] {
  const cycle = variables.cycle()
  return cycle === undefined ? [] : [{ message: `${name}: ${cycle}`, path: [name, 'variables'] }]
}

function refuseTooMuch(jobs: JobEntry[], config: Config): void {
  const lines = jobs.reduce((sum, job) => sum + plannedLines(job, config), 0)
  if (lines <= limits.plannedLines) return
  throw invalid(
    `The pipeline is too big: its jobs hold more than ${limits.plannedLines} script lines and variables`,
  )
}
