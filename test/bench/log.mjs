import { timeDockerRun } from './docker.mjs'
import { timeFileCopy } from './file-copy.mjs'
import { formatTime, median } from './table.mjs'

const MEGABYTES = 50
const TURNS = 3
// `yes` is ended by the closing pipe, which a shell with pipefail calls a failure.
const LINES = `{ yes 'one line of a log that is neither very short nor very long' | head -c ${MEGABYTES}000000; } || true`

/**
 * A job that prints 50 MB, against `docker run` of the same command into a pipe and against a copy of such a file.
 * @param {import('./installation.mjs').Installation} installation
 */
export async function benchLog(installation) {
  const project = await installation.createProject(`print:\n  script: "${LINES}"\n`)
  /** @type {number[]} */
  const ours = []
  /** @type {number[]} */
  const theirs = []
  for (let turn = 0; turn < TURNS; turn++) {
    ours.push(await project.timeJob())
    theirs.push(await timeDockerRun(LINES))
  }
  const [job, docker] = [median(ours), median(theirs)]
  const copy = await timeFileCopy(installation.folder, MEGABYTES)
  const name = `a log of ${MEGABYTES} MB`
  return [
    {
      name,
      ours: formatTime(job),
      baseline: 'docker run into a pipe',
      theirs: formatTime(docker),
      ratio: job / docker,
      target: 'at most 1.1',
    },
    { name, ours: formatTime(job), baseline: 'a file copy', theirs: formatTime(copy), ratio: job / copy },
  ]
}
