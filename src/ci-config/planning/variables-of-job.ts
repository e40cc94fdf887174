import { stageOf } from '../checks/check-jobs.js'
import { inherits } from '../entries/inherit.js'
import type { JobEntry } from '../entries/job.js'
import type { Config } from '../entries/read-config.js'
import type { PipelineContext, PlannedVariable } from '../plan.js'
import { type JobFacts, predefinedOfJob } from '../variables/predefined-of-job.js'
import { jobVariables } from '../variables/sets.js'
import type { VariableCollection } from '../variables/variable-collection.js'

export interface VariablesOfJob {
  /** Stored with the job: top-level variables overridden by those of the job, in written order. */
  planned: PlannedVariable[]
  /** All that its keywords may refer to. */
  seen: VariableCollection
  /** Expanded name of its environment, which selects the scoped settings variables; absent = none. */
  environment?: string
}

/** `ofRule` are the variables of the matching rule. */
export function variablesOfJob(
  job: JobEntry,
  config: Config,
  context: PipelineContext,
  ofRule: readonly PlannedVariable[] = [],
): VariablesOfJob {
  const planned = overlaid(yamlVariables(job, config), ofRule)
  const facts = jobFacts(job)
  const seen = jobVariables(context, { predefined: predefinedOfJob(facts), yaml: planned })
  if (!job.environment) return { planned, seen }
  const environment = seen.expand(job.environment.name, 'empty')
  const predefined = predefinedOfJob({ ...facts, environment: { ...job.environment, name: environment } })
  return { planned, seen: jobVariables(context, { predefined, yaml: planned, environment }), environment }
}

function jobFacts(job: JobEntry): JobFacts {
  return { name: job.name, stage: stageOf(job), when: job.when ?? 'on_success', parallel: job.instance }
}

/** Top-level variables that the job inherits, then those of the job. */
function yamlVariables(job: JobEntry, config: Config): PlannedVariable[] {
  const top = config.variables.filter(({ key }) => inherits(job.inherit?.variables, key))
  return overlaid(top, job.variables ?? [])
}

/** Upper values replace lower ones; a replaced name keeps its position. */
export function overlaid(
  below: readonly PlannedVariable[],
  above: readonly PlannedVariable[],
): PlannedVariable[] {
  return [...new Map([...below, ...above].map((variable) => [variable.key, variable])).values()]
}
