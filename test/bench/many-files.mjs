import { timeFileCopy } from './file-copy.mjs'
import { formatTime, median } from './table.mjs'

const FILES = 2000
const DIFFERENT = 20
const FILE_BYTES = 100_000
const MEGABYTES = (FILES * FILE_BYTES) / 1_000_000
const TURNS = 3

/** Lines as a server writes them; busybox would take long to make all of them, and each file is compressed by itself. */
const TEXT = String.raw`awk -v seed=$n 'BEGIN { srand(seed); while (n < ${FILE_BYTES}) { line = sprintf("2024-05-%02d %02d:%02d info request=%06x path=/api/v4/projects/%d/jobs status=%d took=%dms\n", rand() * 28 + 1, rand() * 24, rand() * 60, rand() * 16777216, rand() * 900, 200 + rand() * 5, rand() * 2000); n += length(line); printf "%s", line } }'`
const NOISE = `head -c ${FILE_BYTES} /dev/urandom`

/**
 * What it adds to a job that its 200 MB in 2,000 files are zipped and uploaded, against a copy of a file of that size.
 * @param {import('./installation.mjs').Installation} installation
 */
export async function benchManyFiles(installation) {
  const copy = await timeFileCopy(installation.folder, MEGABYTES)
  const text = await timeUpload(installation, TEXT)
  const noise = await timeUpload(installation, NOISE)
  return [figure('of text', text, copy, 'at least 100 MB/s'), figure('of noise', noise, copy)]
}

/**
 * @param {import('./installation.mjs').Installation} installation
 * @param {string} make prints one file; `$n` is its number
 */
async function timeUpload(installation, make) {
  const script = [
    'mkdir -p base out',
    `for n in $(seq 0 ${DIFFERENT - 1}); do ${make} > base/$n; done`,
    `for n in $(seq ${FILES}); do cp base/$((n % ${DIFFERENT})) out/$n; done`,
  ]
  const job = { script, artifacts: { paths: ['out/'] } }
  const without = await installation.createProject(JSON.stringify({ make: { script } }))
  const kept = await installation.createProject(JSON.stringify({ make: job }))
  // The first jobs make the mirrors of the repositories.
  await without.timeJob()
  await kept.timeJob()
  /** @type {number[]} */
  const differences = []
  for (let turn = 0; turn < TURNS; turn++)
    differences.push((await kept.timeJob()) - (await without.timeJob()))
  return median(differences)
}

/**
 * @param {string} kind
 * @param {number} time
 * @param {number} copy
 * @param {string} [target]
 */
function figure(kind, time, copy, target) {
  return {
    name: `${MEGABYTES} MB in ${FILES} files ${kind}, archived and uploaded`,
    ours: `${formatTime(time)} (${Math.round(MEGABYTES / (time / 1000))} MB/s)`,
    baseline: 'a file copy',
    theirs: formatTime(copy),
    ratio: time / copy,
    ...(target && { target }),
  }
}
