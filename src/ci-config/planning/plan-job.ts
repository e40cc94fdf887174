import { stageOf } from '../checks/check-jobs.js'
import type { Defaults } from '../entries/defaults.js'
import { inherits } from '../entries/inherit.js'
import type { JobEntry } from '../entries/job.js'
import type { Config } from '../entries/read-config.js'
import type { JobOptions, PlannedArtifacts, PlannedJob } from '../plan.js'
import type { VariableCollection } from '../variables/variable-collection.js'
import type { VariablesOfJob } from './variables-of-job.js'

/** Applies the defaults to one job of the pipeline; `stageIndex` is the position of its stage. */
export function planJob(
  job: JobEntry,
  config: Config,
  stageIndex: number,
  variables: VariablesOfJob,
): PlannedJob {
  const when = job.when ?? 'on_success'
  return {
    name: job.name,
    stage: stageOf(job),
    stageIndex,
    when,
    // A manual job that says nothing is optional: nobody waits for it (CI language, 3.3).
    allowFailure: job.allow_failure ?? when === 'manual',
    schedulingType: job.needs ? 'dag' : 'stage',
    needs: job.needs ?? [],
    tags: expandTags(written(job, config.defaults, 'tags') ?? [], variables.seen),
    variables: variables.planned,
    interruptible: false,
    options: optionsOf(job, config.defaults),
  }
}

/** What a job carries, counted before it is made: defaults multiply by the number of jobs. */
export function plannedLines(job: JobEntry, { defaults, variables }: Config): number {
  const scripts = (['before_script', 'script', 'after_script'] as const).map((key) =>
    key === 'script' ? job.script : written(job, defaults, key),
  )
  return scripts.reduce(
    (sum, lines) => sum + (lines?.length ?? 0),
    variables.length + (job.variables?.length ?? 0),
  )
}

/** A default is used only for a keyword that the job does not write at all (CI language, 2.2 and 3.13). */
function written<K extends keyof Defaults>(
  job: JobEntry & Defaults,
  defaults: Defaults,
  key: K,
): Defaults[K] {
  return job[key] ?? (inherits(job.inherit?.default, key) ? defaults[key] : undefined)
}

function expandTags(tags: string[], variables: VariableCollection): string[] {
  return [...new Set(tags.map((tag) => variables.expandOnce(tag)))]
}

function optionsOf(job: JobEntry, defaults: Defaults): JobOptions {
  const image = written(job, defaults, 'image')
  const artifacts = written(job, defaults, 'artifacts')
  const caches = written(job, defaults, 'cache')
  const hooks = written(job, defaults, 'hooks')
  return {
    script: [...(written(job, defaults, 'before_script') ?? []), ...(job.script ?? [])],
    afterScript: written(job, defaults, 'after_script') ?? [],
    services: written(job, defaults, 'services') ?? [],
    ...(image && { image }),
    ...(artifacts && leavesFiles(artifacts) && { artifacts }),
    ...(caches?.length && { caches }),
    ...(hooks && { hooks }),
    ...(job.dependencies && { dependencies: job.dependencies }),
    ...(job.timeout !== undefined && { timeout: job.timeout }),
  }
}

function leavesFiles({ paths, untracked, reports }: PlannedArtifacts): boolean {
  return paths.length > 0 || untracked || reports !== undefined
}
