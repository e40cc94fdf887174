import { processorMilliseconds } from './idle-runner.mjs'

/** @typedef {import('./simulated-runners.mjs').Load} Load */
/** @typedef {Load & { spent: number }} Measured `spent`: milliseconds of processors */

/**
 * Several loads of a process, added up.
 * @param {number} pid
 * @param {number} rounds
 * @param {() => Promise<() => Promise<Load>>} prepare what is not measured, before each of them
 * @returns {Promise<Measured>}
 */
export async function measureLoad(pid, rounds, prepare) {
  /** @type {Measured} */
  const all = { jobs: 0, milliseconds: 0, times: [], spent: 0 }
  for (let round = 0; round < rounds; round++) {
    const run = await prepare()
    const before = await processorMilliseconds(pid)
    const { jobs, milliseconds, times } = await run()
    all.spent += (await processorMilliseconds(pid)) - before
    all.jobs += jobs
    all.milliseconds += milliseconds
    all.times.push(...times)
  }
  return all
}
