/** @typedef {import('./main.mjs').Figure} Figure */
/** @typedef {import('./bare-program.mjs').Measured} Measured */

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
      name: '  the slowest of 100 requests',
      ours: `${slowest(ours).toFixed(0)} ms`,
      theirs: `${slowest(theirs).toFixed(0)} ms`,
      ratio: slowest(ours) / slowest(theirs),
      target: 'at most 2',
      baseline,
    },
  ]
}

/** @param {Measured} load */
function rate({ jobs, milliseconds }) {
  return (jobs * 1000) / milliseconds
}

/** @param {Measured} load */
function slowest({ times }) {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}
