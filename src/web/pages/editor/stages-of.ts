/** The stages of jobs, in the order of the pipeline. */
export function stagesOf(jobs: readonly { stage: string }[]): string[] {
  return [...new Set(jobs.map(({ stage }) => stage))]
}
