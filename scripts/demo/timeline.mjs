import { people } from './people.mjs'
import { projects } from './plan.mjs'
import { Random } from './random.mjs'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** People work in the hours before the time of the day at which the demo starts, so that something has always just happened. */
const WORKING_HOURS = 11

/** @typedef {import('./plan.mjs').ProjectPlan} ProjectPlan */
/** @typedef {import('./repository.mjs').CommitPlan} CommitPlan */

/**
 * What people push. A `ci` other than undefined replaces the CI file; `broken` names the job that the commit breaks.
 * @typedef {CommitPlan & { broken?: string, isPushed: boolean, tag?: string }} PushPlan
 */

/**
 * What people push to a project, in the order of time. The first ones are those before the demo's time, which start no
 * pipelines.
 * @param {ProjectPlan} project
 * @param {import('./plan.mjs').Size} size
 * @param {number} end of the past, in milliseconds since 1970
 * @returns {PushPlan[]}
 */
export function pushesOf(project, size, end) {
  const random = new Random(projects.indexOf(project) * 977 + 5)
  const begin = end - size.days * DAY
  const authors = people.filter(({ username }) => project.authors.includes(username))
  const author = () => random.pick(authors)
  let revision = 0
  /** @param {string} message */
  const change = (message) => {
    const path = random.pick(project.changed)
    revision++
    return { [path]: changedText(project, path, `${message} (${revision})`) }
  }
  const first = {
    branch: 'main',
    time: begin - 60 * DAY,
    author: author(),
    message: 'Begin',
    files: project.files,
  }
  /** @type {PushPlan[]} */
  const commits = [{ ...first, isPushed: false }]
  for (let index = 0; index < size.commitsBefore; index++) {
    const message = random.pick(project.messages)
    const time = first.time + ((index + 1) * 59 * DAY) / size.commitsBefore
    commits.push({ branch: 'main', time, author: author(), message, files: change(message), isPushed: false })
  }
  const count = Math.max(2, Math.round(size.pipelines * project.share * 0.72))
  for (const time of timesOf(
    project.isQuiet ? 0 : Math.min(3, Math.ceil(count / 8)),
    count,
    size.days,
    end,
    random,
  )) {
    const message = random.pick(project.messages)
    const branch = random.chance(0.55) ? 'main' : random.pick(project.branches)
    const isSkipped = random.chance(0.04)
    const files = change(message)
    const broken = random.chance(branch === 'main' ? 0.1 : 0.22)
      ? random.pick(Object.keys(project.jobs))
      : undefined
    commits.push({
      branch,
      time,
      author: author(),
      files,
      isPushed: true,
      message: isSkipped ? `${message} [skip ci]` : message,
      ...(broken !== undefined && { broken }),
    })
  }
  return commits
}

/**
 * Times at which people push.
 * @param {number} recent of them, within minutes of the end
 * @param {number} count
 * @param {number} days
 * @param {number} end
 * @param {Random} random
 */
function timesOf(recent, count, days, end, random) {
  const times = Array.from({ length: recent }, () => end - random.between(0.5, 16) * MINUTE)
  while (times.length < count) {
    const day = random.whole(0, days - 1)
    const time = end - day * DAY - random.between(0.4, WORKING_HOURS) * HOUR
    const isWeekend = [0, 6].includes(new Date(time).getUTCDay())
    if (!isWeekend || random.chance(0.2)) times.push(time)
  }
  return times.sort((a, b) => a - b)
}

/**
 * The text of a file after a change: with a comment at its end.
 * @param {ProjectPlan} project
 * @param {string} path
 * @param {string} comment
 */
export function changedText(project, path, comment) {
  const sign = /\.(go|tsx?|kts?|swift)$/.test(path) ? '//' : '#'
  return `${project.files[path] ?? ''}\n${sign} ${comment}\n`
}
