import { timeDockerRun } from './docker.mjs'
import { formatTime, median } from './table.mjs'

const TURNS = 5

/**
 * A trivial job, from its creation to its reported end, against `docker run` of the same command.
 * @param {import('./installation.mjs').Installation} installation
 */
export async function benchJob(installation) {
  const project = await installation.createProject('trivial:\n  script: "true"\n')
  // The first job makes the mirror of the repository.
  await project.timeJob()
  const [ours, theirs] = [[], []].map(() => /** @type {number[]} */ ([]))
  for (let turn = 0; turn < TURNS; turn++) {
    ours?.push(await project.timeJob())
    theirs?.push(await timeDockerRun('true'))
  }
  const [job, docker] = [median(ours ?? []), median(theirs ?? [])]
  return [
    {
      name: 'a trivial job',
      ours: formatTime(job),
      baseline: 'docker run',
      theirs: formatTime(docker),
      ratio: job / docker,
      target: 'at most 1.5',
    },
  ]
}
