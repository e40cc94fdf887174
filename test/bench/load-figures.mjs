import { percentile99 } from './table.mjs'

/** @typedef {import('./main.mjs').Figure} Figure */
/** @typedef {import('./measured-load.mjs').Measured} Measured */

/**
 * What a load came to beside the bare program, the rate first.
 * @param {string} name
 * @param {string} store
 * @param {Measured} ours
 * @param {Measured} theirs
 * @returns {Figure[]}
 */
export function loadFigures(name, store, ours, theirs) {
  const baseline = 'bare Fastify and SQLite'
  const each = (/** @type {Measured} */ { spent, jobs }) => spent / jobs
  return [
    {
      name,
      ours: `${rate(ours).toFixed(0)}/s`,
      theirs: `${rate(theirs).toFixed(0)}/s`,
      ratio: rate(ours) / rate(theirs),
      target: store === 'SQLite' ? '0.6' : '0.5',
      baseline,
    },
    {
      name: '  processor time of a job',
      ours: `${each(ours).toFixed(1)} ms`,
      theirs: `${each(theirs).toFixed(1)} ms`,
      ratio: each(ours) / each(theirs),
      target: 'at most 2.5',
      baseline,
    },
    {
      name: '  99th percentile of requests',
      ours: `${percentile99(ours.times).toFixed(0)} ms`,
      theirs: `${percentile99(theirs.times).toFixed(0)} ms`,
      ratio: percentile99(ours.times) / percentile99(theirs.times),
      target: 'at most 2',
      baseline,
    },
  ]
}

/** @param {Measured} load */
function rate({ jobs, milliseconds }) {
  return (jobs * 1000) / milliseconds
}
