import type { JobEnd } from '../../../coordinator/engine/finish/close-job.js'
import type { LocalJob, LocalPipeline } from './local-pipeline.js'

/** Runs the jobs of a pipeline as their turn comes, so many at a time, until none is left that could run. */
export async function runPipeline(
  pipeline: LocalPipeline,
  concurrency: number,
  perform: (job: LocalJob) => Promise<JobEnd>,
): Promise<void> {
  const running = new Set<Promise<void>>()
  const start = (job: LocalJob) => {
    const work = perform(job).then((end) => {
      running.delete(work)
      pipeline.end(job, end)
    })
    running.add(work)
  }
  for (;;) {
    pipeline.advance()
    while (running.size < concurrency) {
      const job = pipeline.takeNext()
      if (!job) break
      start(job)
    }
    if (running.size === 0) return
    await Promise.race(running)
  }
}
