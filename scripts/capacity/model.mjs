// The model of docs/capacity.md: computes its second table, what a day takes, from its first one, what a job costs.

/** Share of a day's jobs in its busiest hour, as in test/bench/day-plan.mjs. */
const BUSIEST_HOUR = 0.09
/** Share of what it can do that a coordinator is planned for, so that its queue stays empty. */
const UTILIZATION = 0.5
const SECONDS_PER_HOUR = 3600
const MILLISECONDS = 1000

/** @typedef {'SQLite' | 'PostgreSQL'} Store */
/**
 * Costs of a job by their names in the page: milliseconds, kilobytes, and jobs a second.
 * @typedef {Record<string, Record<Store, number>>} Costs
 */
/** @typedef {{ title: string, jobs: number, store: Store }} DayOfModel */

/** @type {DayOfModel[]} */
const DAYS = [
  { title: '1,000, SQLite', jobs: 1000, store: 'SQLite' },
  { title: '100,000, SQLite', jobs: 100_000, store: 'SQLite' },
  { title: '100,000, PostgreSQL', jobs: 100_000, store: 'PostgreSQL' },
  { title: '10 million, PostgreSQL', jobs: 10_000_000, store: 'PostgreSQL' },
]

/**
 * Rows of the second table: their names, and their values on a day with `peak` jobs a second in its busiest hour.
 * @type {[string, (cost: (name: string) => number, day: { jobs: number, peak: number }) => string][]}
 */
const ROWS = [
  ['jobs a second in the busiest hour', (_cost, { peak }) => short(peak)],
  [
    'coordinators',
    (cost, { peak }) => whole(peak / (cost('jobs a second of one coordinator') * UTILIZATION)),
  ],
  ['processors: coordinators', (cost, { peak }) => processors(peak, cost('processor: coordinator'))],
  ['processors: PostgreSQL', (cost, { peak }) => processors(peak, cost('processor: PostgreSQL'))],
  ['processors: sources (git)', (cost, { peak }) => processors(peak, cost('processor: sources (git)'))],
  [
    'network in the busiest hour',
    (cost, { peak }) => `${bytes(peak * (cost('log') + cost('artifacts') + cost('sources')))}/s`,
  ],
  ['database, grows each day by', (cost, { jobs }) => bytes(jobs * cost('database'))],
  ['logs, grow each day by', (cost, { jobs }) => bytes(jobs * cost('log'))],
  ['artifacts, grow each day by', (cost, { jobs }) => bytes(jobs * cost('artifacts'))],
]

const COSTS = '## What a job costs'
const DAY = '## What a day takes'

/**
 * The page with the second table computed from the first one.
 * @param {string} page
 */
export function withModel(page) {
  const costs = readCosts(tableBelow(page, COSTS).text)
  const { start, text } = tableBelow(page, DAY)
  return page.slice(0, start) + modelOf(costs) + page.slice(start + text.length)
}

/**
 * The first table below a heading, and where it starts.
 * @param {string} page
 * @param {string} heading
 */
function tableBelow(page, heading) {
  const from = page.indexOf(`${heading}\n`)
  const table = /(?:^\|.*\n)+/m.exec(page.slice(Math.max(0, from)))
  if (from < 0 || !table) throw new Error(`docs/capacity.md has no table below "${heading}"`)
  return { start: from + table.index, text: table[0] }
}

/**
 * @param {string} table with a head, and the costs on SQLite and PostgreSQL in the second and third column
 * @returns {Costs}
 */
function readCosts(table) {
  const rows = table.trim().split('\n').slice(2)
  return Object.fromEntries(
    rows.map((row) => {
      const [name = '', sqlite = '', postgres = ''] = row
        .split('|')
        .slice(1)
        .map((cell) => cell.trim())
      return [name, { SQLite: numberOf(sqlite), PostgreSQL: numberOf(postgres) }]
    }),
  )
}

/** Of a cell such as `7.0 ms`; 0 of an empty one. @param {string} cell */
function numberOf(cell) {
  const number = Number(/^[\d.]*/.exec(cell.replaceAll(',', ''))?.[0])
  if (Number.isNaN(number)) throw new Error(`"${cell}" does not begin with a number`)
  return number
}

/** @param {Costs} costs */
function modelOf(costs) {
  const head = ['jobs a day, store', ...DAYS.map(({ title }) => title)]
  const rows = ROWS.map(([name, value]) => [
    name,
    ...DAYS.map(({ jobs, store }) => {
      const peak = (jobs * BUSIEST_HOUR) / SECONDS_PER_HOUR
      return value((cost) => costOf(costs, cost, store), { jobs, peak })
    }),
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('')
}

/**
 * @param {Costs} costs
 * @param {string} name
 * @param {Store} store
 */
function costOf(costs, name, store) {
  const cost = costs[name]?.[store]
  if (cost === undefined) throw new Error(`docs/capacity.md has no cost "${name}"`)
  return cost
}

/**
 * @param {number} peak
 * @param {number} milliseconds
 */
function processors(peak, milliseconds) {
  return short((peak * milliseconds) / MILLISECONDS)
}

/** @param {number} number */
function whole(number) {
  return String(Math.max(1, Math.ceil(number)))
}

/** @param {number} number */
function short(number) {
  return String(Number(number.toPrecision(2)))
}

/** @param {number} kilobytes */
function bytes(kilobytes) {
  if (kilobytes < 1000) return `${short(kilobytes)} kB`
  return kilobytes < 1e6 ? `${short(kilobytes / 1000)} MB` : `${short(kilobytes / 1e6)} GB`
}
