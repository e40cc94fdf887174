import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { parse } from 'yaml'

import { onEachStore } from './each-store.mjs'
import { call, Project } from './project.mjs'
import { withCoordinator } from './separate-coordinator.mjs'
import { formatTime, median } from './table.mjs'
import { ADMIN_TOKEN } from './tokens.mjs'

const run = promisify(execFile)

const JOBS = 500
const TURNS = 7

/** @typedef {import('./main.mjs').Figure} Figure */

/**
 * A pipeline of 500 jobs, from the call that asks for it to its response, against what the YAML library takes to parse the
 * file: of a file that was never read before, and of one that was.
 * @returns {Promise<Figure[]>}
 */
export function benchCreatePipeline() {
  return onEachStore(({ name, flags }) => figures(name, flags))
}

/**
 * @param {string} store
 * @param {string[]} flags
 * @returns {Promise<Figure[]>}
 */
async function figures(store, flags) {
  return withCoordinator(flags, async ({ url, folder }) => {
    const clone = join(folder, 'project')
    const project = await Project.create(url, clone, ciFile(0))
    await keepOlderPipelines(project)
    await timeCreation(project)
    /** @type {Record<'parsing' | 'new' | 'known', number[]>} */
    const times = { parsing: [], new: [], known: [] }
    for (let turn = 1; turn <= TURNS; turn++) {
      await pushFile(project, clone, ciFile(turn))
      times.parsing.push(timeParsing(ciFile(turn)))
      times.new.push(await timeCreation(project))
      times.known.push(await timeCreation(project))
    }
    const rest = {
      baseline: 'parsing the YAML',
      theirs: formatTime(median(times.parsing)),
      target: 'under 0.3 s',
    }
    return /** @type {const} */ (['new', 'known']).map((kind) => ({
      name: `a pipeline of ${JOBS} jobs, ${kind} file, ${store}`,
      ours: formatTime(median(times[kind])),
      ratio: median(times[kind]) / median(times.parsing),
      ...rest,
    }))
  })
}

/**
 * Else each new file would have the jobs of the pipelines before it canceled.
 * @param {Project} project
 */
async function keepOlderPipelines({ api }) {
  const response = await fetch(api, {
    method: 'PUT',
    headers: { 'private-token': ADMIN_TOKEN, 'content-type': 'application/json' },
    body: JSON.stringify({ auto_cancel_pending_pipelines: 'disabled' }),
  })
  if (!response.ok) throw new Error(`PUT ${api}: ${response.status}`)
}

/** @param {Project} project */
async function timeCreation(project) {
  const start = performance.now()
  const pipeline = await call(`${project.api}/pipeline`, { ref: 'main' })
  const time = performance.now() - start
  if (pipeline.status !== 'pending') throw new Error(`The pipeline is ${String(pipeline.status)}`)
  return time
}

/** @param {string} text */
function timeParsing(text) {
  const start = performance.now()
  parse(text, { version: '1.1', merge: true })
  return performance.now() - start
}

/**
 * @param {Project} project
 * @param {string} clone
 * @param {string} text
 */
async function pushFile({ address }, clone, text) {
  await writeFile(join(clone, '.gitlab-ci.yml'), text)
  const author = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com']
  await run('git', [...author, 'commit', '--quiet', '--all', '--message', 'Change the jobs'], { cwd: clone })
  await run('git', ['push', '--quiet', '--push-option=ci.skip', address, 'main'], { cwd: clone })
}

/**
 * Three stages, needs, rules and variables; a third of the jobs is pending at once.
 * @param {number} version
 */
function ciFile(version) {
  return `
stages: [build, test, deploy]
variables: { VERSION: "${version}", REGISTRY: registry.example/group, IMAGE: $REGISTRY/app }
default: { image: "node:20", before_script: [npm ci], tags: [docker] }
${Array.from({ length: JOBS }, (_, index) => job(index)).join('')}`
}

/** @param {number} index */
function job(index) {
  const stage = ['build', 'test', 'deploy'][index % 3]
  const last = index % 3 === 0 ? 'timeout: 1h' : `needs: ["job ${index - (index % 3)}"]`
  return `
job ${index}:
  stage: ${stage}
  ${last}
  variables: { PACKAGE: p${index}, TARGET: $IMAGE/p${index} }
  script: [npm run build -w $PACKAGE]
  rules: [{ if: $PACKAGE && $CI_COMMIT_BRANCH }]
`
}
