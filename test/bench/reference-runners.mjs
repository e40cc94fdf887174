import { join } from 'node:path'

import { BareProgram } from './bare-program.mjs'
import { onEachStore } from './each-store.mjs'
import { loadFigures } from './load-figures.mjs'
import { measureLoad } from './measured-load.mjs'
import { createPipeline, registerInstanceRunners, stages } from './pipeline-shapes.mjs'
import { Project } from './project.mjs'
import { withCoordinator } from './separate-coordinator.mjs'
import { REFERENCE_HABITS, runJobs } from './simulated-runners.mjs'

const JOBS = 500
const STAGES = 5
const RUNNERS = [32, 500]
const WARM_UP = 4
const ROUNDS = 2

/**
 * Lives of jobs with the requests that the reference runner sends, in pipelines of five stages, by few and by many runners.
 * @returns {Promise<import('./main.mjs').Figure[]>}
 */
export async function benchReferenceRunners() {
  const bare = await BareProgram.start()
  try {
    return await onEachStore(({ name, flags }) =>
      withCoordinator(flags, async (coordinator) => {
        const { url, folder } = coordinator
        const project = await Project.create(url, join(folder, 'stages'), stages(STAGES, JOBS / STAGES))
        const figures = []
        for (const runners of RUNNERS) {
          const tokens = await registerInstanceRunners(url, runners)
          await measure(coordinator, project, tokens, WARM_UP)
          const theirs = await bare.measure(false, REFERENCE_HABITS, runners)
          const ours = await measure(coordinator, project, tokens, ROUNDS)
          figures.push(...loadFigures(`jobs of ${runners} reference runners, ${name}`, name, ours, theirs))
        }
        return figures
      }),
    )
  } finally {
    bare.stop()
  }
}

/**
 * @param {{ url: string, pid: number }} coordinator
 * @param {Project} project
 * @param {string[]} tokens
 * @param {number} rounds
 */
function measure({ url, pid }, project, tokens, rounds) {
  return measureLoad(pid, rounds, async () => {
    await createPipeline(project)
    return () => runJobs({ urls: [url], tokens, jobs: JOBS }, REFERENCE_HABITS)
  })
}
