import { gzipSync } from 'node:zlib'

import { archiveOf, reportOf } from './job-files.mjs'
import { baseName } from './plan.mjs'
import { Random } from './random.mjs'
import { lines } from './script-lines.mjs'
import { junitOf, runTests } from './tests.mjs'
import { VERSION } from './version.mjs'

/** @typedef {import('./runner.mjs').JobPayload} JobPayload */
/** @typedef {import('./runner.mjs').UploadedFile} UploadedFile */
/** @typedef {{ state: 'success' | 'failed', failureReason?: string, exitCode?: number }} Ending */

/**
 * What a job prints and leaves.
 * @typedef {object} JobScript
 * @property {number} seconds its duration
 * @property {{ at: number, text: string }[]} log pieces, with seconds since the start
 * @property {() => Promise<UploadedFile[]>} files
 * @property {Ending} ending
 */

const DEFAULT_PLAN = /** @type {import('./plan.mjs').JobPlan} */ ({ seconds: [15, 40], log: 'kubectl' })

/**
 * @param {JobPayload} job
 * @param {import('./plan.mjs').ProjectPlan | undefined} project
 * @param {{ startedAt: number, runner: string, isBroken: boolean, tries: number, factor?: number }} run `startedAt` in milliseconds;
 *   `tries`: earlier attempts; `factor` makes it longer
 * @returns {JobScript}
 */
export function scriptOf(job, project, { startedAt, runner, isBroken, tries, factor = 1 }) {
  const random = new Random(job.id * 7919 + 17)
  const { name } = job.job_info
  const plan = project?.jobs[baseName(name)] ?? project?.jobs[name.split(' ')[0] ?? ''] ?? DEFAULT_PLAN
  const tests = plan.tests && runTests(plan.tests, random, { isBroken, branch: job.git_info.ref, job: name })
  const hasLuck = random.chance(tries > 0 ? 0.7 : 0)
  const failsByChance = !hasLuck && random.chance(plan.failure ?? 0)
  const ok = !isBroken && !failsByChance && (hasLuck || !tests?.some(({ failed }) => failed))
  const seconds = random.between(...plan.seconds) * factor * (ok ? 1 : random.between(0.5, 1))
  const variables = new Map(job.variables.map(({ key, value }) => [key, value]))
  const printed = lines[plan.log]({ random, name, ok, variables })
  const reason = ok
    ? undefined
    : failsByChance && !tests && random.chance(0.25)
      ? 'runner_system_failure'
      : 'script_failure'
  return {
    seconds,
    log: layOut({ job, startedAt, seconds, printed, ok, runner, random, reason }),
    files: () => filesOf(job, plan, tests, random),
    ending: ok
      ? { state: 'success' }
      : { state: 'failed', failureReason: reason ?? 'script_failure', exitCode: 1 },
  }
}

/** @param {{ job: JobPayload, startedAt: number, seconds: number, printed: string[], ok: boolean, runner: string, random: Random, reason: string | undefined }} run */
function layOut({ job, startedAt, seconds, printed, ok, runner, random, reason }) {
  /** @type {{ at: number, text: string }[]} */
  const log = []
  const print = (/** @type {number} */ at, /** @type {string} */ text) =>
    log.push({ at: at * seconds, text: `${text}\n` })
  const stamp = (/** @type {number} */ at) => Math.floor(startedAt / 1000 + at * seconds)
  const section = (
    /** @type {string} */ id,
    /** @type {string} */ title,
    /** @type {[number, number]} */ [from, to],
    /** @type {string[]} */ inner,
  ) => {
    print(from, `\x1b[0Ksection_start:${stamp(from)}:${id}\r\x1b[0K\x1b[0K\x1b[36;1m${title}\x1b[0;m\x1b[0;m`)
    inner.forEach((line, index) => print(from + ((to - from) * index) / inner.length, line))
    log.push({ at: to * seconds, text: `\x1b[0Ksection_end:${stamp(to)}:${id}\r\x1b[0K` })
  }
  const image = job.image?.name
  print(0, `\x1b[0KRunning with switchyard-runner ${VERSION} (5d1f44aa)\x1b[0;m`)
  print(
    0,
    `\x1b[0K  on ${runner}, system ID: s_${random.whole(0x1000_0000, 0xffff_ffff).toString(16)}\x1b[0;m`,
  )
  section(
    'prepare_executor',
    `Preparing the "${image ? 'docker' : 'shell'}" executor`,
    [0.005, 0.05],
    image
      ? [
          `\x1b[0KUsing Docker executor with image ${image} ...\x1b[0;m`,
          `\x1b[0KPulling docker image ${image} ...\x1b[0;m`,
          `\x1b[0KUsing docker image sha256:${random.whole(0x1000_0000, 0xffff_ffff).toString(16)}\x1b[0;m`,
        ]
      : ['\x1b[0KUsing Shell (bash) executor...\x1b[0;m'],
  )
  section(
    'get_sources',
    'Getting source from Git repository',
    [0.055, 0.09],
    [
      '\x1b[32;1mFetching changes with git depth set to 20...\x1b[0;m',
      'Initialized empty Git repository',
      `\x1b[32;1mChecking out ${job.git_info.sha.slice(0, 8)} as detached HEAD (ref is ${job.git_info.ref})...\x1b[0;m`,
    ],
  )
  const dependencies = job.dependencies ?? []
  if (dependencies.length > 0)
    section(
      'download_artifacts',
      'Downloading artifacts',
      [0.095, 0.12],
      dependencies
        .slice(0, 6)
        .map(
          (dependency) =>
            `\x1b[32;1mDownloading artifacts for ${dependency.name} (${dependency.id})...\x1b[0;m`,
        ),
    )
  const commands = (job.steps ?? [])
    .flatMap(({ script }) => script)
    .map((line) => `\x1b[32;1m$ ${line}\x1b[0;m`)
  section(
    'step_script',
    'Executing "step_script" stage of the job script',
    [0.13, 0.94],
    interleave(commands, printed),
  )
  if (ok || job.artifacts?.some(({ when }) => when === 'always'))
    if (job.artifacts?.length)
      section(
        ok ? 'upload_artifacts_on_success' : 'upload_artifacts_on_failure',
        ok ? 'Uploading artifacts' : 'Uploading artifacts for failed job',
        [0.95, 0.98],
        [
          'Uploading artifacts...',
          ...job.artifacts
            .flatMap(({ paths }) => paths ?? [])
            .map((path) => `\x1b[0;33m${path}: found matching artifact files\x1b[0;m`),
        ],
      )
  print(
    1,
    ok
      ? '\x1b[32;1mJob succeeded\x1b[0;m'
      : reason === 'runner_system_failure'
        ? '\x1b[31;1mERROR: Job failed (system failure): Cannot connect to the Docker daemon at unix:///var/run/docker.sock\x1b[0;m'
        : '\x1b[31;1mERROR: Job failed: exit code 1\x1b[0;m',
  )
  return log
}

/**
 * Each command, and after the last one what all print.
 * @param {string[]} commands
 * @param {string[]} printed
 */
function interleave(commands, printed) {
  if (commands.length < 2) return [...commands, ...printed]
  const early = Math.floor(printed.length / 3)
  return [
    ...commands.slice(0, -1),
    ...printed.slice(0, early),
    ...commands.slice(-1),
    ...printed.slice(early),
  ]
}

/**
 * @param {JobPayload} job
 * @param {import('./plan.mjs').JobPlan} plan
 * @param {ReturnType<typeof runTests> | undefined} tests
 * @param {Random} random
 * @returns {Promise<UploadedFile[]>}
 */
async function filesOf(job, plan, tests, random) {
  /** @type {UploadedFile[]} */
  const files = []
  const expireIn =
    job.artifacts?.find(({ artifact_type }) => artifact_type === 'archive')?.expire_in ?? undefined
  if (plan.files)
    files.push({
      type: 'archive',
      format: 'zip',
      filename: 'artifacts.zip',
      content: await archiveOf(plan.files),
      ...(expireIn && { expireIn }),
    })
  if (plan.tests && tests)
    files.push({
      type: 'junit',
      format: 'gzip',
      filename: 'junit.xml.gz',
      content: gzipSync(junitOf(plan.tests, tests)),
    })
  for (const kind of plan.reports ?? []) files.push(reportOf(kind, random))
  return files
}
