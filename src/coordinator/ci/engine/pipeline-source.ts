/**
 * What pipelines come from, by the word of `CI_PIPELINE_SOURCE` (CI language, 9.1). `keepsFailed`: one whose file is
 * wrong is stored as failed instead of being refused. `obeysSkipCi`: a commit message can ask for no jobs.
 * `givesVariables`: its variables are given by whoever causes it, so that the project says who may. `isDangling`: does not
 * count as the latest pipeline of a ref or a commit.
 */
const SOURCES = {
  push: { keepsFailed: true, obeysSkipCi: true, givesVariables: true, isDangling: false },
  web: { keepsFailed: false, obeysSkipCi: false, givesVariables: true, isDangling: false },
  trigger: { keepsFailed: true, obeysSkipCi: false, givesVariables: true, isDangling: false },
  // Its variables were given by whoever wrote the schedule.
  schedule: { keepsFailed: false, obeysSkipCi: false, givesVariables: false, isDangling: false },
  api: { keepsFailed: false, obeysSkipCi: false, givesVariables: true, isDangling: false },
  pipeline: { keepsFailed: true, obeysSkipCi: false, givesVariables: true, isDangling: false },
  // Its variables come from the project's own file, or were given to its parent.
  parent_pipeline: { keepsFailed: true, obeysSkipCi: false, givesVariables: false, isDangling: true },
} as const satisfies Record<string, SourceTraits>

interface SourceTraits {
  keepsFailed: boolean
  obeysSkipCi: boolean
  givesVariables: boolean
  isDangling: boolean
}

export type PipelineSource = keyof typeof SOURCES

export const PIPELINE_SOURCES = Object.keys(SOURCES) as PipelineSource[]

export const DANGLING_SOURCES = PIPELINE_SOURCES.filter((source) => SOURCES[source].isDangling)

export function traitsOf(source: PipelineSource): Readonly<SourceTraits> {
  return SOURCES[source]
}
