/**
 * The sources of pipelines, by their `CI_PIPELINE_SOURCE` value (CI language, 9.1).
 *
 * `keepsFailed`: a pipeline with an invalid CI file is stored as failed instead of being refused.
 * `obeysSkipCi`: a commit message can skip the jobs. `givesVariables`: the caller sets the variables, so the
 * project decides who may set them. `isDangling`: the pipeline does not count as the latest one of a ref or
 * commit.
 */
const SOURCES = {
  push: { keepsFailed: true, obeysSkipCi: true, givesVariables: true, isDangling: false },
  web: { keepsFailed: false, obeysSkipCi: false, givesVariables: true, isDangling: false },
  trigger: { keepsFailed: true, obeysSkipCi: false, givesVariables: true, isDangling: false },
  // The author of the schedule sets its variables.
  schedule: { keepsFailed: false, obeysSkipCi: false, givesVariables: false, isDangling: false },
  api: { keepsFailed: false, obeysSkipCi: false, givesVariables: true, isDangling: false },
  pipeline: { keepsFailed: true, obeysSkipCi: false, givesVariables: true, isDangling: false },
  // Its variables are the words of the command.
  chat: { keepsFailed: true, obeysSkipCi: true, givesVariables: false, isDangling: false },
  // Users give it no variables.
  merge_request_event: { keepsFailed: true, obeysSkipCi: true, givesVariables: true, isDangling: false },
  // The variables come from the CI file of the project, or were set for the parent pipeline.
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
