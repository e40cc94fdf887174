import { BarePods, findCluster } from './bare-pods.mjs'
import { IMAGE } from './docker.mjs'
import { startInstallation } from './installation.mjs'
import { formatTime, median } from './table.mjs'

const TURNS = 5
const LOG_TURNS = 3
const MEGABYTES = 50
const TRIVIAL = 'true'
// As in the benchmark of Docker.
const LINES = `{ yes 'one line of a log that is neither very short nor very long' | head -c ${MEGABYTES}000000; } || true`

/** @typedef {import('./main.mjs').Figure} Figure */

/**
 * Jobs in pods, against bare pods of the same image and command at the same API server: a trivial one, from its creation to
 * its end, and one that prints 50 MB, from its creation to the last byte of its log. Nothing without a cluster.
 * @returns {Promise<Figure[]>}
 */
export async function benchPods() {
  const cluster = findCluster()
  if ('missing' in cluster) {
    process.stderr.write(`  skipped, because it needs a cluster: ${cluster.missing}\n`)
    return []
  }
  const pods = await BarePods.open(cluster)
  try {
    const installation = await startInstallation(inPods(cluster, pods.namespace))
    try {
      return [await benchTrivial(installation, pods), await benchLog(installation, pods)]
    } finally {
      await installation.stop()
    }
  } finally {
    await pods.close()
  }
}

/**
 * @param {import('./installation.mjs').Installation} installation
 * @param {BarePods} pods
 * @returns {Promise<Figure>}
 */
async function benchTrivial(installation, pods) {
  const project = await installation.createProject(jobOf(TRIVIAL))
  await project.timeJob()
  /** @type {number[]} */
  const ours = []
  /** @type {number[]} */
  const theirs = []
  for (let turn = 0; turn < TURNS; turn++) {
    ours.push(await project.timeJob())
    theirs.push(await pods.timeToSuccess(TRIVIAL))
  }
  return figure('a trivial job in a pod', 'a bare pod', median(ours), median(theirs), 'at most 1.5')
}

/**
 * @param {import('./installation.mjs').Installation} installation
 * @param {BarePods} pods
 * @returns {Promise<Figure>}
 */
async function benchLog(installation, pods) {
  const project = await installation.createProject(jobOf(LINES))
  /** @type {number[]} */
  const ours = []
  /** @type {number[]} */
  const theirs = []
  let isWhole = true
  for (let turn = 0; turn < LOG_TURNS; turn++) {
    ours.push(await project.timeJob())
    const { milliseconds, bytes } = await pods.timeLog(LINES)
    theirs.push(milliseconds)
    isWhole &&= bytes === MEGABYTES * 1e6
  }
  const baseline = isWhole ? 'the log of a bare pod' : 'the log of a bare pod, not whole'
  return figure(`a log of ${MEGABYTES} MB of a pod`, baseline, median(ours), median(theirs), 'at most 1.1')
}

/**
 * @param {string} name
 * @param {string} baseline
 * @param {number} ours in milliseconds
 * @param {number} theirs
 * @param {string} target
 * @returns {Figure}
 */
function figure(name, baseline, ours, theirs, target) {
  return { name, ours: formatTime(ours), baseline, theirs: formatTime(theirs), ratio: ours / theirs, target }
}

/**
 * The CI file of one job without sources, because pods need not reach the coordinator.
 * @param {string} script
 */
function jobOf(script) {
  return `job:\n  variables: {GIT_STRATEGY: none}\n  script: "${script}"\n`
}

/**
 * @param {import('./bare-pods.mjs').FoundCluster} cluster
 * @param {string} namespace
 */
function inPods({ kubeconfig, helperImage }, namespace) {
  const table = [
    '[runners.kubernetes]',
    `kubeconfig = ${JSON.stringify(kubeconfig)}`,
    `namespace = "${namespace}"`,
    `image = "${IMAGE}"`,
    `helper_image = ${JSON.stringify(helperImage)}`,
    'pull_policy = "if-not-present"',
  ].join('\n')
  return (/** @type {string} */ settings) =>
    `${settings.replace('executor = "docker"', 'executor = "kubernetes"')}\n${table}\n`
}
