/**
 * What pipelines come from, by the word of `CI_PIPELINE_SOURCE` (CI language, 9.1). `keepsFailed`: one whose file is
 * wrong is stored as failed instead of being refused. `obeysSkipCi`: a commit message can ask for no jobs.
 * `givesVariables`: its variables are given by whoever causes it, so that the project says who may.
 */
const SOURCES = {
  push: { keepsFailed: true, obeysSkipCi: true, givesVariables: true },
  web: { keepsFailed: false, obeysSkipCi: false, givesVariables: true },
  trigger: { keepsFailed: true, obeysSkipCi: false, givesVariables: true },
  // Its variables were given by whoever wrote the schedule.
  schedule: { keepsFailed: false, obeysSkipCi: false, givesVariables: false },
  api: { keepsFailed: false, obeysSkipCi: false, givesVariables: true },
  pipeline: { keepsFailed: true, obeysSkipCi: false, givesVariables: true },
  // Its variables come from the project's own file, or were given to its parent.
  parent_pipeline: { keepsFailed: true, obeysSkipCi: false, givesVariables: false },
} as const satisfies Record<string, SourceTraits>

interface SourceTraits {
  keepsFailed: boolean
  obeysSkipCi: boolean
  givesVariables: boolean
}

export type PipelineSource = keyof typeof SOURCES

export const PIPELINE_SOURCES = Object.keys(SOURCES) as PipelineSource[]

export function traitsOf(source: PipelineSource): Readonly<SourceTraits> {
  return SOURCES[source]
}
