import { ClaimStore } from './claim-store.mjs'
import { onEachStore } from './each-store.mjs'
import { median } from './table.mjs'

const PENDING_JOBS = 100_000
const RUNNERS = 1000
const TURNS = 201
const WARM_UP = 50

/** @typedef {import('./main.mjs').Figure} Figure */

/**
 * A job handed out among 100,000 that wait, to one of 1,000 runners, against one that is alone in the queue.
 * @returns {Promise<Figure[]>}
 */
export function benchClaim() {
  return onEachStore(async ({ name, settings }) => [await figure(name, settings)])
}

/**
 * @param {string} name
 * @param {import('./claim-store.mjs').DatabaseSettings} settings
 * @returns {Promise<Figure>}
 */
async function figure(name, settings) {
  const store = await ClaimStore.open(settings, RUNNERS)
  try {
    const theirs = await claimTime(store, () => store.addJob())
    await store.addJobs(PENDING_JOBS)
    const ours = await claimTime(store, async () => {})
    return {
      name: `a claim among ${PENDING_JOBS} pending jobs, ${name}`,
      ours: milliseconds(ours),
      baseline: 'an empty queue',
      theirs: milliseconds(theirs),
      ratio: ours / theirs,
      target: 'at most 2',
    }
  } finally {
    await store.close()
  }
}

/**
 * @param {ClaimStore} store
 * @param {() => Promise<void>} prepare
 */
async function claimTime(store, prepare) {
  /** @type {number[]} */
  const times = []
  for (let turn = -WARM_UP; turn < TURNS; turn++) {
    await prepare()
    const time = await store.timeClaim()
    if (turn >= 0) times.push(time)
  }
  return median(times)
}

/** @param {number} time */
function milliseconds(time) {
  return `${time.toFixed(1)} ms`
}
