import { setTimeout as sleep } from 'node:timers/promises'

import { BareProgram } from './bare-program.mjs'
import { onEachStore } from './each-store.mjs'
import { megabytes, residentBytes } from './idle-runner.mjs'
import { loadFigures } from './load-figures.mjs'
import { measureLoad } from './measured-load.mjs'
import { openPage } from './open-page.mjs'
import { createShapes } from './pipeline-shapes.mjs'
import { withCoordinator } from './separate-coordinator.mjs'
import { runJobs } from './simulated-runners.mjs'
import { WaitingRunners } from './waiting-runner-pool.mjs'

/** Each shape is run as often before it is measured: programs are compiled while they run, and do so for seconds. */
const WARM_UP = 2
const ROUNDS = 3
const IDLE_RUNNERS = 200
/** After this a coordinator without work has returned what its start, or the last jobs, needed. */
const QUIET_MILLISECONDS = 30_000

/** @typedef {import('./main.mjs').Figure} Figure */
/** @typedef {import('./pipeline-shapes.mjs').Shape} Shape */
/** @typedef {{ url: string, pid: number, folder: string }} Coordinator */
/** @typedef {import('./measured-load.mjs').Measured} Measured */

/**
 * The whole life of trivial jobs, without what the runner does, in pipelines of the shapes that people have: quiet, then
 * while 200 runners wait for other jobs and a page is open. Against a program of one file on Fastify and SQLite with the same
 * durable steps, which is measured before each of them. The worst of the shapes comes first.
 * @returns {Promise<Figure[]>}
 */
export async function benchLifecycle() {
  const bare = await BareProgram.start()
  try {
    return await onEachStore(({ name, flags }) =>
      withCoordinator(flags, (coordinator) => measureStore(coordinator, bare, name)),
    )
  } finally {
    bare.stop()
  }
}

/**
 * @param {Coordinator} coordinator
 * @param {BareProgram} bare
 * @param {string} store
 */
async function measureStore(coordinator, bare, store) {
  const { url, pid } = coordinator
  await sleep(QUIET_MILLISECONDS)
  const idle = await residentBytes(pid)
  const shapes = await createShapes(coordinator)
  for (const shape of shapes) await measureLoad(pid, WARM_UP, () => prepare(url, shape, false))
  const quiet = await measureShapes(coordinator, bare, shapes, false)
  const memory = await residentBytes(pid)
  await sleep(QUIET_MILLISECONDS)
  const resting = await residentBytes(pid)
  const waiting = new WaitingRunners(url, IDLE_RUNNERS, (runner) => `nothing-${runner % 20}`)
  await waiting.start()
  const busy = await measureShapes(coordinator, bare, shapes, true)
  await waiting.stop()
  return [
    ...[
      ...quiet.map((compared) => figuresOf(compared, store, '')),
      ...busy.map((compared) => figuresOf(compared, store, ', 200 idle runners')),
    ]
      .toSorted(([a], [b]) => (a?.ratio ?? 0) - (b?.ratio ?? 0))
      .flat(),
    memoryFigure(`memory after the shapes, ${store}`, memory, await residentBytes(bare.pid), '250 MB'),
    memoryFigure(`memory half a minute later, ${store}`, resting, await residentBytes(bare.pid), '160 MB'),
    memoryFigure(`memory half a minute after the start, ${store}`, idle, bare.idle, '110 MB'),
  ]
}

/** @typedef {{ shape: Shape, ours: Measured, theirs: Measured }} Compared */

/**
 * @param {Coordinator} coordinator
 * @param {BareProgram} bare
 * @param {Shape[]} shapes
 * @param {boolean} withPage
 */
async function measureShapes({ url, pid }, bare, shapes, withPage) {
  /** @type {Compared[]} */
  const compared = []
  for (const shape of shapes) {
    const theirs = await bare.measure(shape.hasFiles)
    const ours = await measureLoad(pid, ROUNDS, () => prepare(url, shape, withPage))
    compared.push({ shape, ours, theirs })
  }
  return compared
}

/**
 * Creates the pipelines of a shape; the function that it returns runs their jobs.
 * @param {string} url
 * @param {Shape} shape
 * @param {boolean} withPage
 */
async function prepare(url, shape, withPage) {
  const { pipeline, work } = await shape.start()
  const closePage = withPage ? await openPage(url, pipeline) : undefined
  return async () => {
    const load = await runJobs({ urls: [url], ...work })
    closePage?.()
    return load
  }
}

/**
 * @param {Compared} compared
 * @param {string} store
 * @param {string} otherLoad
 */
function figuresOf({ shape, ours, theirs }, store, otherLoad) {
  return loadFigures(`${shape.name}, ${store}${otherLoad}`, store, ours, theirs)
}

/**
 * @param {string} name
 * @param {number} ours
 * @param {number} theirs
 * @param {string} target
 * @returns {Figure}
 */
function memoryFigure(name, ours, theirs, target) {
  const baseline = 'the bare program'
  return { name, ours: megabytes(ours), theirs: megabytes(theirs), ratio: ours / theirs, target, baseline }
}
