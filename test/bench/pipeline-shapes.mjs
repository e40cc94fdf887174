// The shapes that pipelines of people have: what a job costs depends on the jobs before it, and on what it hands on.
import { join } from 'node:path'

import { call, Project } from './project.mjs'
import { REGISTRATION_TOKEN } from './tokens.mjs'

/** That ask one coordinator for jobs. */
export const RUNNERS = 32

/** @typedef {{ jobs: number, tokens: string[] }} Created jobs that are pending or will be, and the runners that take them */
/** @typedef {{ url: string, folder: string }} Coordinator */
/** @typedef {{ pipeline: number, work: Created }} Started `pipeline`: ID of one of the pipelines */

/**
 * `hasFiles`: its jobs restore a cache, hand on an archive and variables, and save the cache. Each call of `start` creates
 * new pipelines in the same projects.
 * @typedef {{ name: string, hasFiles: boolean, start: () => Promise<Started> }} Shape
 */

/**
 * @param {Coordinator} coordinator
 * @returns {Promise<Shape[]>}
 */
export async function createShapes(coordinator) {
  const tokens = await registerInstanceRunners(coordinator.url, RUNNERS)
  const files = [
    { name: '500 jobs in one stage', file: stages(1, 500), jobs: 500, hasFiles: false },
    { name: '500 jobs in five stages', file: stages(5, 100), jobs: 500, hasFiles: false },
    { name: '500 jobs, each needs two', file: graph(10, 50), jobs: 500, hasFiles: false },
    { name: '200 jobs with artifacts and caches', file: matrix(100), jobs: 200, hasFiles: true },
  ]
  const shapes = []
  for (const [index, { name, file, jobs, hasFiles }] of files.entries()) {
    const project = await Project.create(coordinator.url, join(coordinator.folder, `shape-${index}`), file)
    const start = async () => ({ pipeline: await createPipeline(project), work: { jobs, tokens } })
    shapes.push({ name, hasFiles, start })
  }
  return [...shapes, await manyPipelines(coordinator)]
}

/**
 * @param {string} url
 * @param {number} count
 * @param {object} settings
 * @returns {Promise<string[]>} their tokens
 */
export async function registerInstanceRunners(url, count, settings = { run_untagged: true }) {
  /** @type {string[]} */
  const tokens = []
  for (let runner = 0; runner < count; runner++) {
    const { token } = await call(`${url}/api/v4/runners`, { token: REGISTRATION_TOKEN, ...settings })
    tokens.push(String(token))
  }
  return tokens
}

/**
 * @param {Project} project
 * @returns {Promise<number>}
 */
export async function createPipeline(project) {
  return Number((await call(`${project.api}/pipeline`, { ref: 'main' })).id)
}

/**
 * Stages of equally many jobs, each of which waits for all jobs of the stages before.
 * @param {number} count
 * @param {number} jobs of each
 */
export function stages(count, jobs) {
  const names = Array.from({ length: count }, (_, stage) => `stage ${stage}`)
  // No more than 200 jobs come from one definition.
  let parts = Math.ceil(jobs / 200)
  while (jobs % parts !== 0) parts++
  const definitions = names.flatMap((stage) =>
    Array.from(
      { length: parts },
      (_, part) => `job ${stage} ${part}: {stage: ${stage}, parallel: ${jobs / parts}, script: "true"}\n`,
    ),
  )
  return `stages: ${JSON.stringify(names)}\n${definitions.join('')}`
}

/**
 * Stages of equally many jobs, each of which needs two of the stage before.
 * @param {number} count
 * @param {number} jobs of each
 */
function graph(count, jobs) {
  const names = Array.from({ length: count }, (_, stage) => `stage ${stage}`)
  const definitions = names.flatMap((name, stage) =>
    Array.from({ length: jobs }, (_, job) => {
      const needs = stage === 0 ? [] : [job, (job + 1) % jobs].map((other) => `job ${stage - 1}-${other}`)
      return `job ${stage}-${job}: {stage: ${name}, needs: ${JSON.stringify(needs)}, script: "true"}\n`
    }),
  )
  return `stages: ${JSON.stringify(names)}\n${definitions.join('')}`
}

/**
 * A matrix whose jobs hand on an archive and variables, each to one other job. All of them use a cache.
 * @param {number} size
 */
function matrix(size) {
  const parts = Array.from({ length: size }, (_, part) => `part-${part}`)
  const consumers = parts.map(
    (part, index) => `test ${index}:
  stage: test
  needs: [{job: build, parallel: {matrix: [{PART: ${part}}]}}]
  cache: {key: shared, paths: [modules], policy: pull}
  script: "true"
`,
  )
  return `build:
  stage: build
  parallel: {matrix: [{PART: ${JSON.stringify(parts)}}]}
  cache: {key: $PART, paths: [modules]}
  artifacts: {paths: [output], reports: {dotenv: build.env}}
  script: "true"
${consumers.join('')}`
}

const PROJECTS = 20
const PIPELINES = 50
const TAGS = ['', 'linux', 'docker', 'linux, docker', '']

/**
 * 50 pipelines of 10 jobs, some with tags, of 20 projects, half of which are in a group. Runners of the instance, of the
 * group and of projects take them.
 * @param {Coordinator} coordinator
 * @returns {Promise<Shape>}
 */
async function manyPipelines({ url, folder }) {
  const file = TAGS.flatMap((tags, index) =>
    ['build', 'test'].map(
      (stage) => `${stage} ${index}: {stage: ${stage}, tags: [${tags}], script: "true"}\n`,
    ),
  ).join('')
  const group = await call(`${url}/api/v4/groups`, { name: 'shapes', path: 'shapes' })
  /** @type {Project[]} */
  const projects = []
  for (let index = 0; index < PROJECTS; index++) {
    const settings = index % 2 === 0 ? { namespace_id: group.id } : {}
    projects.push(await Project.create(url, join(folder, `many-${index}`), file, 0, settings))
  }
  const all = { run_untagged: true, tag_list: 'linux,docker' }
  const tokens = [
    ...(await registerInstanceRunners(url, RUNNERS / 4)),
    ...(await registerInstanceRunners(url, RUNNERS / 4, all)),
  ]
  for (let index = 0; index < RUNNERS / 4; index++) {
    const ofGroup = { ...all, runner_type: 'group_type', group_id: group.id }
    const ofProject = { ...all, runner_type: 'project_type', project_id: projects[index]?.id }
    for (const settings of [ofGroup, ofProject])
      tokens.push(String((await call(`${url}/api/v4/user/runners`, settings)).token))
  }
  return {
    name: '50 pipelines of 10 jobs of 20 projects',
    hasFiles: false,
    start: async () => {
      let pipeline = 0
      for (let index = 0; index < PIPELINES; index++)
        pipeline = await createPipeline(/** @type {Project} */ (projects[index % PROJECTS]))
      return { pipeline, work: { jobs: PIPELINES * 2 * TAGS.length, tokens } }
    },
  }
}
