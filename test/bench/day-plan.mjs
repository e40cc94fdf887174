// What happens on a working day: how many jobs pipelines have, when they are created, and what their jobs do. Nothing here
// reads a clock, and the same seed gives the same day.

const HOURS = 24
/** Relative numbers of pipelines by hour. The busiest hour has 9 % of the day. */
const BY_HOUR = [
  ...[0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.5, 1, 2, 2, 2],
  ...[1.4, 2, 2, 2, 2, 1.2, 0.6, 0.6, 0.6, 0.3, 0.3, 0.3],
]
/** Sizes of pipelines in jobs, and their shares: 18.4 jobs on average. */
const SIZES = [
  { jobs: 3, share: 0.4 },
  { jobs: 8, share: 0.3 },
  { jobs: 20, share: 0.2 },
  { jobs: 60, share: 0.08 },
  { jobs: 300, share: 0.02 },
]
/** Shares of pipelines that begin with a commit on a new branch; the others run on `main`. */
const COMMITTED = 0.3
const FAILING = 0.04
/** The timeout of jobs, in seconds. */
const LONGEST = 3600
/** Jobs of the CI language are the same with `parallel`, which has a limit. */
const PER_ENTRY = 50

/** @typedef {{ seconds: number, jobs: number, isCommit: boolean }} PlannedPipeline `seconds`: since midnight */
/** @typedef {{ seconds: number, logBytes: number, artifactBytes: number, fails: boolean }} PlannedJob */

/**
 * Mulberry32: numbers from 0 to 1.
 * @param {number} seed
 */
export function randomNumbers(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * The pipelines of a day with about as many jobs, in the order of their creation.
 * @param {number} jobs
 * @param {() => number} random
 * @returns {PlannedPipeline[]}
 */
export function planDay(jobs, random) {
  /** @type {PlannedPipeline[]} */
  const pipelines = []
  for (let planned = 0; planned < jobs;) {
    const size = pick(SIZES, random).jobs
    pipelines.push({ seconds: timeOfDay(random), jobs: size, isCommit: random() < COMMITTED })
    planned += size
  }
  return pipelines.sort((one, other) => one.seconds - other.seconds)
}

/** @param {() => number} random */
function timeOfDay(random) {
  const hours = BY_HOUR.map((share, hour) => ({ hour, share: share / sum(BY_HOUR) }))
  return (pick(hours, random).hour + random()) * 3600
}

/** The busiest hour, in jobs per second, of a day with as many jobs. @param {number} jobs */
export function peakRate(jobs) {
  return (jobs * Math.max(...BY_HOUR)) / sum(BY_HOUR) / 3600
}

/**
 * Half of the jobs run for 40 seconds or less, and log 6 KB or less; one of a thousand runs for 50 minutes, and logs 1 MB.
 * Every job of the first stage has artifacts, half of them of 100 KB or less.
 * @param {string} stage
 * @param {() => number} random
 * @returns {PlannedJob}
 */
export function planJob(stage, random) {
  return {
    seconds: Math.min(LONGEST, logNormal(40, 1.4, random)),
    logBytes: Math.ceil(logNormal(6000, 1.7, random)),
    artifactBytes: stage === 'build' ? Math.min(5e6, Math.ceil(logNormal(100_000, 1.3, random))) : 0,
    fails: random() < FAILING,
  }
}

/** Jobs of pipelines of a size, one CI file each; each job is retried once if it fails. @param {number} jobs */
export function ciFileOf(jobs) {
  const builds = Math.ceil(jobs * 0.15)
  /** @type {string[]} */
  const entries = []
  for (const [stage, number] of /** @type {const} */ ([
    ['build', builds],
    ['test', jobs - builds - 1],
    ['deploy', 1],
  ])) {
    for (let rest = number, entry = 1; rest > 0; rest -= PER_ENTRY, entry++)
      entries.push(jobEntry(stage, entry, Math.min(rest, PER_ENTRY)))
  }
  return `${HEAD}${entries.join('')}`
}

/** Sizes of pipelines that a day has. */
export const SIZES_OF_DAY = SIZES.map(({ jobs }) => jobs)

const HEAD = `default:
  image: node:22
  retry: 1
  cache: {key: $CI_COMMIT_REF_SLUG, paths: [node_modules/]}
variables: {LEVEL: debug, REGISTRY: registry.example.com, WORKERS: "4"}
stages: [build, test, deploy]
`

/**
 * @param {string} stage
 * @param {number} entry
 * @param {number} parallel
 */
function jobEntry(stage, entry, parallel) {
  return `${stage} ${entry}:
  stage: ${stage}
${parallel > 1 ? `  parallel: ${parallel}\n` : ''}${stage === 'build' ? '  artifacts: {paths: [dist/], expire_in: 1 week}\n' : ''}  script:
    - npm ci --prefer-offline
    - npm run ${stage} -- --workers $WORKERS
    - echo "done with $CI_JOB_NAME"
`
}

/**
 * @template {{ share: number }} Choice
 * @param {Choice[]} choices
 * @param {() => number} random
 * @returns {Choice}
 */
function pick(choices, random) {
  let left = random()
  for (const choice of choices) {
    left -= choice.share
    if (left < 0) return choice
  }
  return /** @type {Choice} */ (choices.at(-1))
}

/**
 * @param {number} median
 * @param {number} sigma
 * @param {() => number} random
 */
function logNormal(median, sigma, random) {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return median * Math.exp(sigma * normal)
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}

export const SECONDS_PER_DAY = HOURS * 3600
