/** @typedef {import('./main.mjs').Figure} Figure */

const HEAD = ['', 'Switchyard', 'compared with', '', 'ratio', 'target']

/** @param {Figure[]} figures */
export function formatTable(figures) {
  const rows = [
    HEAD,
    ...figures.map(({ name, ours, theirs, baseline, ratio, target = '' }) => [
      name,
      ours,
      baseline,
      theirs,
      ratio.toFixed(2),
      target,
    ]),
  ]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/**
 * The middle one of an odd number of values.
 * @param {number[]} values
 */
export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/**
 * The 99th percentile.
 * @param {number[]} values
 */
export function percentile99(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN
}

/** @param {number} milliseconds */
export function formatTime(milliseconds) {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
