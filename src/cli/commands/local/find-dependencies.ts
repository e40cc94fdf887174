import { VariableCollection } from '../../../ci-config/variables/variable-collection.js'
import { type RunFacts, variablesOfJob } from './job-payload.js'
import type { LocalArtifacts } from './local-artifacts.js'
import type { LocalJob, LocalPipeline } from './local-pipeline.js'

interface Surroundings {
  facts: RunFacts
  pipeline: LocalPipeline
  /** All pipelines of the run, by ID. */
  pipelines: ReadonlyMap<number, { pipeline: LocalPipeline }>
  artifacts: LocalArtifacts
}

/**
 * The jobs whose artifacts a job downloads: first those of its own pipeline, then those of other pipelines of the
 * run that `needs:pipeline` names (CI language, 16.2). Returns a message if one of these does not exist.
 */
export function findDependencies(around: Surroundings, job: LocalJob): LocalJob[] | string {
  const { facts, pipeline, artifacts } = around
  const own = pipeline.dependenciesOf(job)
  const needs = (job.planned.options.foreignNeeds ?? []).flatMap((need) =>
    need.kind === 'pipeline' && need.artifacts ? [need] : [],
  )
  if (needs.length === 0) return own
  const seen = VariableCollection.of(variablesOfJob(facts, job, own, artifacts))
  const found: LocalJob[] = []
  for (const need of needs) {
    const id = seen.expand(need.pipeline, 'empty')
    const name = seen.expand(need.job, 'empty')
    const other = Number(id) === facts.pipelineId ? undefined : around.pipelines.get(Number(id))
    const needed = other?.pipeline.jobs.find(
      ({ planned, status }) => planned.name === name && status === 'success',
    )
    if (needed) found.push(needed)
    else if (!need.optional) {
      return `No pipeline "${id}" of this run has a successful job "${name}": check needs:pipeline and needs:job.`
    }
  }
  return [...own, ...found]
}
