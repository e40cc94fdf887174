import { join } from 'node:path'

import { onEachStore } from './each-store.mjs'
import { measureLoad } from './measured-load.mjs'
import { createPipeline, registerInstanceRunners, RUNNERS, stages } from './pipeline-shapes.mjs'
import { Project } from './project.mjs'
import { withCoordinator } from './separate-coordinator.mjs'
import { runJobs } from './simulated-runners.mjs'

const STAGES = 10
const SMALL = 100
const LARGE = 10_000
/** Small pipelines, one after the other: as many before they are measured. */
const SMALL_PIPELINES = 20

/** @typedef {import('./main.mjs').Figure} Figure */

/**
 * What a job costs in a pipeline of 10,000 jobs, against one of 100. Both have ten stages.
 * @returns {Promise<Figure[]>}
 */
export async function benchPipelineSize() {
  return onEachStore(({ name, flags }) =>
    withCoordinator(flags, async ({ url, pid, folder }) => {
      const tokens = await registerInstanceRunners(url, RUNNERS)
      const create = (/** @type {number} */ jobs) =>
        Project.create(url, join(folder, `jobs-${jobs}`), stages(STAGES, jobs / STAGES))
      const [small, large] = [await create(SMALL), await create(LARGE)]
      await spentOn(small, SMALL, SMALL_PIPELINES)
      const ofSmall = await spentOn(small, SMALL, SMALL_PIPELINES)
      const ofLarge = await spentOn(large, LARGE, 1)
      return [
        {
          name: `processor time of one of ${LARGE} jobs, ${name}`,
          ours: `${ofLarge.toFixed(1)} ms`,
          baseline: `one of ${SMALL} jobs`,
          theirs: `${ofSmall.toFixed(1)} ms`,
          ratio: ofLarge / ofSmall,
          target: 'at most 1.2',
        },
      ]

      /**
       * Milliseconds for each job.
       * @param {Project} project
       * @param {number} jobs
       * @param {number} pipelines
       */
      async function spentOn(project, jobs, pipelines) {
        const load = await measureLoad(pid, pipelines, async () => {
          await createPipeline(project)
          return () => runJobs({ urls: [url], tokens, jobs })
        })
        return load.spent / load.jobs
      }
    }),
  )
}
