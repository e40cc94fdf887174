import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { Pool } from 'undici'

import { startGitHttpBackend } from './git-http-backend.mjs'
import { createPipeline, registerInstanceRunners, stages } from './pipeline-shapes.mjs'
import { runGit } from './plain-git.mjs'
import { Project } from './project.mjs'
import { withCoordinator } from './separate-coordinator.mjs'
import { runJobsSteadily } from './simulated-runners.mjs'
import { percentile99 } from './table.mjs'
import { ADMIN_TOKEN } from './tokens.mjs'

const CLONES = 300
const FILES = 200
const FILE_BYTES = 100_000
const PUSHES_PER_SECOND = 20
const JOBS_PER_SECOND = 10
const JOBS = 10_000

/** @typedef {import('./main.mjs').Figure} Figure */
/** @typedef {{ origin: string, path: string, headers: Record<string, string>, commit: string }} Repository */

/**
 * 300 clones of 20 MB that begin together, with 20 pushes a second to the same repository, beside a coordinator that runs
 * jobs: at this coordinator, then at `git http-backend` behind nginx. The clients speak the protocol of git and throw
 * away what they get, because clients on the machine of the server would take most of its time.
 * @returns {Promise<Figure[]>}
 */
export async function benchGitUnderLoad() {
  return withCoordinator([], async ({ url, folder }) => {
    const project = await Project.create(url, join(folder, 'git'), stages(1, JOBS))
    const commit = await addFiles(join(folder, 'git'), project.address)
    await mkdir(join(folder, 'plain'))
    await runGit(['clone', '--quiet', '--bare', join(folder, 'git'), join(folder, 'plain/git.git')])
    for (const name of ['http.receivepack', 'receive.advertisePushOptions'])
      await runGit(['config', name, 'true'], join(folder, 'plain/git.git'))
    const plain = await startGitHttpBackend(join(folder, 'plain'))
    try {
      const address = new URL(project.address)
      const authorization = `Basic ${Buffer.from(`root:${ADMIN_TOKEN}`).toString('base64')}`
      const ours = { origin: url, path: address.pathname, headers: { authorization }, commit }
      const theirs = { origin: plain.url, path: '/git.git', headers: {}, commit }
      await createPipeline(project)
      const [token = ''] = await registerInstanceRunners(url, 1)
      const runner = { url, token, perSecond: JOBS_PER_SECOND }
      await cloneAll(ours, 20)
      const atOurs = await measure(ours, runner)
      const atTheirs = await measure(theirs, runner)
      return figuresOf(atOurs, atTheirs)
    } finally {
      await plain.stop()
    }
  })
}

/**
 * @param {Measured} ours
 * @param {Measured} theirs
 * @returns {Figure[]}
 */
function figuresOf(ours, theirs) {
  const baseline = 'git http-backend behind nginx'
  return [
    {
      name: `${CLONES} clones of 20 MB, with pushes and jobs`,
      ours: `${ours.rate.toFixed(0)} MB/s`,
      theirs: `${theirs.rate.toFixed(0)} MB/s`,
      ratio: ours.rate / theirs.rate,
      target: '0.8',
      baseline,
    },
    {
      name: '  99th percentile of job requests',
      ours: `${percentile99(ours.requests).toFixed(0)} ms`,
      theirs: `${percentile99(theirs.requests).toFixed(0)} ms`,
      ratio: percentile99(ours.requests) / percentile99(theirs.requests),
      target: '100 ms',
      baseline,
    },
    {
      name: '  99th percentile of pushes',
      ours: `${percentile99(ours.pushes).toFixed(0)} ms`,
      theirs: `${percentile99(theirs.pushes).toFixed(0)} ms`,
      ratio: percentile99(ours.pushes) / percentile99(theirs.pushes),
      baseline,
    },
  ]
}

/** @typedef {{ rate: number, requests: number[], pushes: number[] }} Measured MB a second, and milliseconds */

/**
 * @param {Repository} repository
 * @param {Parameters<typeof runJobsSteadily>[0]} runner
 * @returns {Promise<Measured>}
 */
async function measure(repository, runner) {
  const over = new AbortController()
  const jobs = runJobsSteadily(runner, over.signal)
  const pushing = pushUntil(repository, over.signal)
  const start = performance.now()
  const bytes = await cloneAll(repository, CLONES)
  const rate = bytes / 1000 / (performance.now() - start)
  over.abort()
  return { rate, requests: await jobs, pushes: await pushing }
}

/**
 * @param {Repository} repository
 * @param {number} count
 * @returns {Promise<number>} bytes received
 */
async function cloneAll(repository, count) {
  const pool = new Pool(repository.origin, { connections: count, bodyTimeout: 0, headersTimeout: 0 })
  const bytes = await Promise.all(Array.from({ length: count }, () => cloneOnce(pool, repository)))
  await pool.close()
  return bytes.reduce((sum, of) => sum + of, 0)
}

/**
 * What git asks for when it clones one branch.
 * @param {Pool} pool
 * @param {Repository} repository
 */
async function cloneOnce(pool, { path, headers, commit }) {
  const protocol = { ...headers, 'git-protocol': 'version=2' }
  const refs = await pool.request({
    ...{ method: 'GET', path: `${path}/info/refs?service=git-upload-pack`, headers: protocol },
  })
  await refs.body.dump()
  const body =
    ['command=fetch', 'agent=git/2.39.5', 'object-format=sha1'].map(packet).join('') +
    '0001' +
    ['thin-pack', 'no-progress', 'ofs-delta', `want ${commit}`, 'done'].map((line) => packet(line)).join('') +
    '0000'
  const response = await pool.request({
    ...{ method: 'POST', path: `${path}/git-upload-pack`, body },
    headers: { ...protocol, 'content-type': 'application/x-git-upload-pack-request' },
  })
  let bytes = 0
  for await (const chunk of response.body) bytes += /** @type {Buffer} */ (chunk).length
  if (response.statusCode !== 200 || bytes < FILES * FILE_BYTES)
    throw new Error(`A clone got ${response.statusCode} and ${bytes} bytes`)
  return bytes
}

/**
 * Pushes new branches, each of which points to the commit that is there.
 * @param {Repository} repository
 * @param {AbortSignal} over
 * @returns {Promise<number[]>} milliseconds of each push
 */
async function pushUntil({ origin, path, headers, commit }, over) {
  const pool = new Pool(origin, { connections: PUSHES_PER_SECOND, headersTimeout: 0 })
  /** @type {Promise<number>[]} */
  const pushes = []
  while (!over.aborted) {
    pushes.push(push(pushes.length))
    await sleep(1000 / PUSHES_PER_SECOND)
  }
  const times = await Promise.all(pushes)
  await pool.close()
  return times

  /** @param {number} number */
  async function push(number) {
    const began = performance.now()
    const change = `${'0'.repeat(40)} ${commit} refs/heads/pushed-${number}`
    const body = Buffer.concat([
      Buffer.from(`${packet(`${change}\0report-status push-options`)}0000${packet('ci.skip')}0000`),
      EMPTY_PACK,
    ])
    const response = await pool.request({
      ...{ method: 'POST', path: `${path}/git-receive-pack`, body },
      headers: { ...headers, 'content-type': 'application/x-git-receive-pack-request' },
    })
    const report = await response.body.text()
    if (!report.includes('unpack ok')) throw new Error(`A push got ${response.statusCode} ${report}`)
    return performance.now() - began
  }
}

const EMPTY_PACK = Buffer.concat([
  Buffer.from('5041434b0000000200000000', 'hex'),
  Buffer.from('029d08823bd8a8eab510ad6ac75c823cfd3ed31e', 'hex'),
])

/** @param {string} line */
function packet(line) {
  return (Buffer.byteLength(line) + 4).toString(16).padStart(4, '0') + line
}

/**
 * @param {string} folder
 * @param {string} address
 * @returns {Promise<string>} the commit
 */
async function addFiles(folder, address) {
  for (let file = 0; file < FILES; file++)
    await writeFile(join(folder, `file-${file}`), randomBytes(FILE_BYTES))
  await runGit(['add', '.'], folder)
  const author = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com']
  await runGit([...author, 'commit', '--quiet', '--message', 'Add files'], folder)
  await runGit(['push', '--quiet', '--push-option=ci.skip', address, 'main'], folder)
  return runGit(['rev-parse', 'HEAD'], folder)
}
