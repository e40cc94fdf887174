import { parse } from 'yaml'

import { formatTime, median } from './table.mjs'

const JOBS = 500
const TURNS = 15

/** A CI file of 3,000 lines with 500 jobs, against what the YAML library takes to parse its text and nothing more. */
export async function benchCompile() {
  const path = new URL('../../.switchyard/modules/ci-config/compile.js', import.meta.url).href
  /** @type {typeof import('../../src/ci-config/compile.js')} */
  const { compile } = await import(path)
  const text = ciFile()
  const [ours, theirs] = [
    // Files that were compiled lately stay parsed, so that each turn has one of its own.
    await medianTime(async (turn) => {
      const result = await compile(`${text}# ${turn}\n`, sources, context)
      if (result.kind !== 'plan' || result.plan.jobs.length < JOBS * 0.9)
        throw new Error(JSON.stringify(result))
    }),
    await medianTime(async () => parse(text, { version: '1.1', merge: true })),
  ]
  return [
    {
      name: `compiling ${JOBS} jobs in ${text.split('\n').length} lines`,
      ours: formatTime(ours),
      baseline: 'parsing the YAML',
      theirs: formatTime(theirs),
      ratio: ours / theirs,
      target: 'within 0.15 s',
    },
  ]
}

const CHANGED = Array.from({ length: 60 }, (_, index) => `packages/p${index}/src/deep/file${index}.ts`)
const FILES = Array.from({ length: 5000 }, (_, index) => `packages/p${index % 500}/src/file${index}.ts`)
const COMMIT = { projectPath: 'group/project', sha: 'a'.repeat(40) }

/** @type {import('../../src/ci-config/sources.js').ConfigSources} */
const sources = {
  readFile: async () => undefined,
  listFiles: async () => FILES,
  findProject: async () => 'not-found',
  changedFiles: async () => CHANGED,
  changedFilesSince: async () => undefined,
  fetchRemote: async () => ({ kind: 'failed', reason: 'because it is not there' }),
  readTemplate: async () => undefined,
  findComponentVersion: async () => 'not-found',
  readArtifact: async () => undefined,
}

/** @type {import('../../src/ci-config/plan.js').PipelineContext} */
const context = {
  ref: 'feature/bench',
  refType: 'branch',
  source: 'push',
  projectPath: COMMIT.projectPath,
  origin: { file: '.gitlab-ci.yml', commit: COMMIT },
  variables: {
    predefined: [
      { key: 'CI_COMMIT_BRANCH', value: 'feature/bench' },
      { key: 'CI_COMMIT_MESSAGE', value: 'ProjectSize how long it takes\n\n'.repeat(20) },
      { key: 'CI_PIPELINE_SOURCE', value: 'push' },
    ],
    user: [],
    settings: Array.from({ length: 40 }, (_, index) => ({
      key: `SETTING_${index}`,
      value: `value ${index}`,
    })),
    pipeline: [],
  },
}

/** A file as large projects have them: hidden jobs, rules shared and their own, needs. */
function ciFile() {
  return [HEAD, ...Array.from({ length: JOBS }, (_, index) => job(index))].join('')
}

const HEAD = `
stages: [build, test, deploy]
variables: { NODE_ENV: test, REGISTRY: registry.example/group, IMAGE: $REGISTRY/app }
workflow:
  rules:
    - if: $CI_COMMIT_TAG
      when: never
    - if: $CI_PIPELINE_SOURCE == "push"
default: { image: "node:20", before_script: [npm ci], tags: [docker] }
.rules: &rules
  - if: $CI_COMMIT_MESSAGE =~ /\\[quick\\]/i
    when: never
  - if: $CI_COMMIT_BRANCH == "main" || $CI_COMMIT_BRANCH =~ /^feature\\/.+/
.base:
  retry: 1
  cache: { key: { files: [package-lock.json] }, paths: [node_modules/] }
  rules: *rules
`

/** @param {number} index */
function job(index) {
  const stage = ['build', 'test', 'deploy'][index % 3]
  const rules =
    index % 2 === 0 ? `changes: [packages/p${index % 60}/**/*]` : `exists: ["packages/p${index}/src/*.ts"]`
  const last = index % 3 === 0 ? 'timeout: 1h' : `needs: ["job ${index - (index % 3)}"]`
  return index % 4 === 3
    ? `
job ${index}:
  extends: .base
  stage: ${stage}
  ${last}
  script: [npm run build -w p${index}]
`
    : `
job ${index}:
  stage: ${stage}
  ${last}
  variables: { PACKAGE: p${index}, TARGET: $IMAGE/p${index} }
  script: [npm run build -w $PACKAGE]
  rules: [{ if: $PACKAGE && $CI_COMMIT_BRANCH }, { ${rules} }]
`
}

/** @param {(turn: number) => Promise<unknown>} work */
async function medianTime(work) {
  /** @type {number[]} */
  const times = []
  for (let turn = 0; turn < TURNS; turn++) {
    const start = performance.now()
    await work(turn)
    times.push(performance.now() - start)
  }
  return median(times)
}
