import { stageOf } from '../checks/check-jobs.js'
import type { JobEntry } from '../entries/job.js'
import type { Config } from '../entries/read-config.js'
import type { JobWhen, PlannedEnvironment, PlannedJob } from '../plan.js'
import type { VariableCollection } from '../variables/variable-collection.js'
import { effective } from './effective.js'
import { jobOptions } from './job-options.js'
import { jobPriority } from './priority-variable.js'
import type { VariablesOfJob } from './variables-of-job.js'

/** Applies the defaults to one job of the pipeline; `stageIndex` is the position of its stage. */
export function planJob(
  job: JobEntry,
  config: Config,
  stageIndex: number,
  { planned, seen, environment }: VariablesOfJob,
): PlannedJob {
  const when = job.when ?? 'on_success'
  const priority = jobPriority(seen)
  return {
    name: job.name,
    stage: stageOf(job),
    stageIndex,
    when,
    allowFailure: allowsFailure(job, when),
    schedulingType: job.needs ? 'dag' : 'stage',
    needs: job.needs ?? [],
    tags: expandTags(effective(job, config.defaults, 'tags') ?? [], seen),
    variables: planned,
    interruptible: effective(job, config.defaults, 'interruptible') ?? false,
    ...(priority !== undefined && { priority }),
    ...(job.start_in !== undefined && { startIn: job.start_in }),
    ...(job.resource_group !== undefined && { resourceGroup: seen.expand(job.resource_group, 'empty') }),
    ...(job.trigger && { trigger: job.trigger }),
    ...(job.mirrors !== undefined && { mirrors: seen.expand(job.mirrors, 'empty') }),
    ...(job.instance && { parallel: { index: job.instance.index, total: job.instance.total } }),
    ...(job.environment && { environment: planEnvironment(job.environment, environment ?? '', seen) }),
    options: jobOptions(job, config.defaults),
  }
}

/**
 * The number of lines in a planned job, computed before it is built, because defaults multiply by the number
 * of jobs.
 */
export function plannedLines(job: JobEntry, { defaults, variables }: Config): number {
  const scripts = (['before_script', 'script', 'after_script'] as const).map((key) =>
    key === 'script' ? job.script : effective(job, defaults, key),
  )
  return scripts.reduce(
    (sum, lines) => sum + (lines?.length ?? 0),
    variables.length + (job.variables?.length ?? 0) + mostRuleVariables(job) + (job.run?.length ?? 0),
  )
}

function mostRuleVariables({ rules = [] }: JobEntry): number {
  return rules.reduce((most, { variables }) => Math.max(most, variables?.length ?? 0), 0)
}

/** A manual job without `allow_failure` is optional and does not block the pipeline (CI language, 3.3). */
function allowsFailure({ allow_failure: written }: JobEntry, when: JobWhen): boolean {
  return written === undefined ? when === 'manual' : written === true
}

function expandTags(tags: string[], variables: VariableCollection): string[] {
  return [...new Set(tags.map((tag) => variables.expandOnce(tag)))]
}

/**
 * Expands everything but the URL, which may reference variables that the job itself sets (CI language, 8.4).
 */
function planEnvironment(
  written: PlannedEnvironment,
  name: string,
  variables: VariableCollection,
): PlannedEnvironment {
  const { autoStopIn, tier } = written
  return {
    ...written,
    name,
    ...(autoStopIn !== undefined && { autoStopIn: variables.expand(autoStopIn, 'empty') }),
    ...(tier !== undefined && { tier: variables.expand(tier, 'empty') }),
  }
}
