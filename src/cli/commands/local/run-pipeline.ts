import type { LocalEnd, LocalJob, LocalPipeline } from './local-pipeline.js'
import type { Slots } from './slots.js'

/** Runs the jobs of a pipeline, as far as slots are free, until no job can run any more. */
export async function runPipeline(
  pipeline: LocalPipeline,
  slots: Slots,
  perform: (job: LocalJob) => Promise<LocalEnd>,
): Promise<void> {
  const running = new Set<Promise<void>>()
  const start = (job: LocalJob) => {
    const work = perform(job).then((end) => {
      running.delete(work)
      slots.release(job)
      pipeline.end(job, end)
    })
    running.add(work)
  }
  for (;;) {
    pipeline.advance()
    // Another pipeline may release a slot before this one waits for it.
    const released = slots.released()
    for (let job = pipeline.takeNext(slots); job; job = pipeline.takeNext(slots)) start(job)
    if (running.size === 0 && !pipeline.hasPending) return
    await Promise.race([...running, released])
  }
}
