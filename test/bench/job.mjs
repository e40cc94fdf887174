import { timeContainer, timeDockerRun } from './docker.mjs'
import { CONCURRENT } from './installation.mjs'
import { formatTime, median } from './table.mjs'

const TURNS = 20

/** @typedef {import('./main.mjs').Figure} Figure */
/** @typedef {import('./installation.mjs').Installation} Installation */

/**
 * A trivial job without sources, from its creation to its reported end, against `docker run` of the same command.
 * @param {Installation} installation
 */
export async function benchJob(installation) {
  const project = await installation.createProject(
    'trivial:\n  variables: {GIT_STRATEGY: none}\n  script: "true"\n',
  )
  const figures = await inTurns(
    () => project.timeJob(),
    () => timeDockerRun('true'),
  )
  return [{ name: 'a trivial job', baseline: 'docker run', target: 'at most 1.5', ...figures }]
}

/**
 * One with sources of 200 files.
 * @param {Installation} installation
 */
export async function benchJobWithSources(installation) {
  const project = await installation.createProject('sources:\n  script: "true"\n', 200)
  const figures = await inTurns(
    () => project.timeJob(),
    () => timeDockerRun('true'),
  )
  return [
    { name: 'a job with sources of 200 files', baseline: 'docker run', target: 'at most 1.5', ...figures },
  ]
}

const NUMBERS = Array.from({ length: CONCURRENT }, (_, index) => index)

/**
 * As many jobs as the runner takes at a time, against as many `docker run`.
 * @param {Installation} installation
 */
export async function benchJobsAtOnce(installation) {
  const figures = await jobsAtOnce(installation, '')
  return [
    { name: `${CONCURRENT} jobs at once`, baseline: `${CONCURRENT} docker run`, target: '1', ...figures },
  ]
}

/**
 * As `benchJobsAtOnce`, without sources: what is left is the runner's own part.
 * @param {Installation} installation
 */
export async function benchJobsAtOnceWithoutSources(installation) {
  const figures = await jobsAtOnce(installation, 'variables: {GIT_STRATEGY: none}\n')
  return [
    {
      name: `${CONCURRENT} jobs at once without sources`,
      baseline: `${CONCURRENT} docker run`,
      target: '1',
      ...figures,
    },
  ]
}

/** What the engine takes for as many containers, whoever asks for them: no runner can be faster. */
export async function benchContainersAtOnce() {
  const figures = await inTurns(
    () => atOnce(() => timeContainer('true')),
    () => atOnce(() => timeDockerRun('true')),
  )
  return [
    {
      name: `${CONCURRENT} containers through the engine's API`,
      baseline: `${CONCURRENT} docker run`,
      ...figures,
    },
  ]
}

/**
 * @param {Installation} installation
 * @param {string} settings of the CI file
 */
async function jobsAtOnce(installation, settings) {
  const jobs = NUMBERS.map((number) => `job ${number}:\n  script: "true"\n`).join('')
  const project = await installation.createProject(settings + jobs)
  return inTurns(
    () => project.timePipeline(),
    () => atOnce(() => timeDockerRun('true')),
  )
}

/** @param {() => Promise<unknown>} work */
async function atOnce(work) {
  const start = performance.now()
  await Promise.all(NUMBERS.map(work))
  return performance.now() - start
}

/**
 * Medians; the first turn, which makes the mirror of the repository, does not count.
 * @param {() => Promise<number>} ours
 * @param {() => Promise<number>} theirs
 * @returns {Promise<Pick<Figure, 'ours' | 'theirs' | 'ratio'>>}
 */
async function inTurns(ours, theirs) {
  await ours()
  /** @type {number[]} */
  const oursTook = []
  /** @type {number[]} */
  const theirsTook = []
  for (let turn = 0; turn < TURNS; turn++) {
    oursTook.push(await ours())
    theirsTook.push(await theirs())
  }
  const [job, docker] = [median(oursTook), median(theirsTook)]
  return { ours: formatTime(job), theirs: formatTime(docker), ratio: job / docker }
}
