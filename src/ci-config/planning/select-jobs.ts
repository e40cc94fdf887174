import { type JobEntry, writtenName } from '../entries/job.js'
import { ConfigError, type Problem, RuleError } from '../errors.js'
import type { KnownFiles } from '../selection/known-files.js'
import type { WorkflowOutcome } from './run-workflow.js'
import { type JobEffects, selectJob } from './select-job.js'
import type { SelectionObserver } from './selection-observer.js'
import { type VariablesOfJob, variablesOfJob } from './variables-of-job.js'

/** A job in the pipeline, with the effects of its matching rule. */
export interface SelectedJob {
  job: JobEntry
  effects: JobEffects
  variables: VariablesOfJob
}

/**
 * The jobs of the event. Throws `ConfigError` with every rule that could not be evaluated (CI language, 7.2).
 */
export async function selectJobs(
  workflow: WorkflowOutcome,
  files: KnownFiles,
  observer?: SelectionObserver,
): Promise<SelectedJob[]> {
  const selected: SelectedJob[] = []
  const problems: Problem[] = []
  for (const job of workflow.config.jobs) {
    try {
      const found = await select(job, workflow, files, observer)
      if (found) selected.push(found)
    } catch (error) {
      if (!(error instanceof RuleError)) throw error
      problems.push({
        message: `Failed to parse rule for ${job.name}: ${error.message}`,
        path: [writtenName(job), 'rules'],
      })
    }
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return selected
}

async function select(
  job: JobEntry,
  { config, context }: WorkflowOutcome,
  files: KnownFiles,
  observer: SelectionObserver | undefined,
): Promise<SelectedJob | undefined> {
  const variables = variablesOfJob(job, config, context)
  const commit = context.origin?.commit
  const decision = await selectJob(job, {
    variables: variables.seen,
    files,
    ...(commit && { commit }),
    context,
    hasWorkflowRules: config.workflow.rules !== undefined,
  })
  observer?.job(job, decision, variables.seen)
  const { effects } = decision
  if (!effects?.variables) return effects && { job, effects, variables }
  return { job, effects, variables: variablesOfJob(job, config, context, effects.variables) }
}
