import { timeFileCopy } from './file-copy.mjs'
import { formatTime, median } from './table.mjs'

const MEGABYTES = 50
const TURNS = 3
const MAKE = `dd if=/dev/urandom of=file bs=1000000 count=${MEGABYTES}`

/**
 * What it adds to a job that its file of 50 MB is archived and uploaded, against a copy of such a file.
 * @param {import('./installation.mjs').Installation} installation
 */
export async function benchArtifact(installation) {
  const without = await installation.createProject(`make:\n  script: "${MAKE}"\n`)
  const kept = await installation.createProject(
    `make:\n  script: "${MAKE}"\n  artifacts:\n    paths: [file]\n`,
  )
  /** @type {number[]} */
  const differences = []
  for (let turn = 0; turn < TURNS; turn++)
    differences.push((await kept.timeJob()) - (await without.timeJob()))
  const [upload, copy] = [median(differences), await timeFileCopy(installation.folder, MEGABYTES)]
  return [
    {
      name: `an artifact of ${MEGABYTES} MB`,
      ours: formatTime(upload),
      baseline: 'a file copy',
      theirs: formatTime(copy),
      ratio: upload / copy,
    },
  ]
}
