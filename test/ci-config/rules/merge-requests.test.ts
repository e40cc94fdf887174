import { describe, expect, test } from 'vitest'

import type { PipelineContext } from '../../../src/ci-config/plan.js'
import { compileText, pushOfMain } from '../support/compile-text.js'
import { NO_CONTEXT_VARIABLES } from '../support/no-context-variables.js'
import { SHA, type Surroundings } from '../support/project-sources.js'

const OF_MERGE_REQUEST = {
  CI_PIPELINE_SOURCE: 'merge_request_event',
  CI_COMMIT_REF_NAME: 'feature',
  CI_MERGE_REQUEST_ID: '7',
  CI_MERGE_REQUEST_IID: '1',
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
  CI_MERGE_REQUEST_LABELS: 'bug,slow',
  CI_OPEN_MERGE_REQUESTS: 'group/project!1',
}
const mergeRequest = context({
  source: 'merge_request_event',
  isForMergeRequest: true,
  ref: 'refs/merge-requests/1/head',
  variables: OF_MERGE_REQUEST,
})
const child = context({
  source: 'parent_pipeline',
  isForMergeRequest: true,
  ref: 'refs/merge-requests/1/head',
  variables: { ...OF_MERGE_REQUEST, CI_PIPELINE_SOURCE: 'parent_pipeline' },
})
const push = context({
  ref: 'feature',
  variables: { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'feature', CI_DEFAULT_BRANCH: 'main' },
})
const pushWithMergeRequest = context({
  ref: 'feature',
  variables: {
    CI_PIPELINE_SOURCE: 'push',
    CI_COMMIT_BRANCH: 'feature',
    CI_DEFAULT_BRANCH: 'main',
    CI_OPEN_MERGE_REQUESTS: 'group/project!1',
  },
})

const EVENTS = {
  'merge request': mergeRequest,
  'child pipeline': child,
  push,
  'push with a merge request': pushWithMergeRequest,
}

type Wanted = Partial<Omit<PipelineContext, 'variables'>> & { variables: Record<string, string> }

function context({ variables, ...wanted }: Wanted): PipelineContext {
  const predefined = Object.entries(variables).map(([key, value]) => ({ key, value }))
  return {
    ...pushOfMain,
    origin: { file: '.gitlab-ci.yml', commit: { projectPath: 'group/project', sha: SHA } },
    ...wanted,
    variables: { ...NO_CONTEXT_VARIABLES, predefined },
  }
}

async function selected(text: string, on: PipelineContext, around: Surroundings = {}): Promise<string[]> {
  const result = await compileText(text, on, around)
  if (result.kind === 'invalid') throw new Error(result.errors.join('\n'))
  return result.kind === 'plan' ? result.plan.jobs.map(({ name }) => name) : [result.kind]
}

describe('a job is in the pipeline', () => {
  test.each<[string, keyof typeof EVENTS, boolean]>([
    ['', 'merge request', false],
    ['', 'child pipeline', false],
    ['only: [branches]', 'merge request', false],
    ['only: [branches]', 'child pipeline', false],
    ['only: [merge_requests]', 'merge request', true],
    ['only: [merge_requests]', 'push with a merge request', false],
    ['only: [merge_requests]', 'child pipeline', false],
    ['only: [parent_pipelines]', 'child pipeline', true],
    ['only: [feature]', 'merge request', false],
    ['only: [refs/merge-requests/1/head]', 'child pipeline', false],
    ['only: [/merge-requests/]', 'child pipeline', false],
    ['only: [merge_requests@group/project]', 'merge request', true],
    ['only: [merge_requests@group/other]', 'merge request', false],
    ['only: [branches, merge_requests]', 'push', true],
    ['except: [merge_requests]', 'push', true],
    [
      'only: [merge_requests], except: {variables: [$CI_MERGE_REQUEST_LABELS =~ /slow/]}',
      'merge request',
      false,
    ],
    ['rules: [{if: $CI_MERGE_REQUEST_IID}]', 'merge request', true],
    ['rules: [{if: $CI_MERGE_REQUEST_IID}]', 'child pipeline', true],
    ['rules: [{if: $CI_MERGE_REQUEST_IID}]', 'push with a merge request', false],
    ['rules: [{if: $CI_PIPELINE_SOURCE == "merge_request_event"}]', 'child pipeline', false],
    ['rules: [{if: $CI_MERGE_REQUEST_TARGET_BRANCH_NAME == "main"}]', 'merge request', true],
  ])('%s, %s: %j', async (keywords, event, isThere) => {
    expect(await selected(`job: {script: x, ${keywords}}`, EVENTS[event])).toEqual(
      isThere ? ['job'] : ['empty'],
    )
  })

  test('if the diff of the merge request changes a file', async () => {
    const text = 'job: {script: x, rules: [{changes: ["docs/**/*"]}]}'
    expect(await selected(text, mergeRequest, { changed: ['docs/a.md'] })).toEqual(['job'])
    expect(await selected(text, mergeRequest, { changed: ['src/a.ts'] })).toEqual(['empty'])
    expect(await selected(text, child, { changed: ['src/a.ts'] })).toEqual(['empty'])
  })
})

test('an include can depend on the merge request', async () => {
  const text = `
include: [{local: /review.yml, rules: [{if: $CI_MERGE_REQUEST_IID}]}]
always: {script: x, rules: [{when: always}]}
`
  const files = { 'review.yml': 'review: {script: x, rules: [{when: always}]}' }
  expect(await selected(text, mergeRequest, { projects: { 'group/project': files } })).toEqual([
    'review',
    'always',
  ])
  expect(await selected(text, push, { projects: { 'group/project': files } })).toEqual(['always'])
})

describe('a workflow that runs one pipeline for each push', () => {
  const text = `
workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH && $CI_OPEN_MERGE_REQUESTS
      when: never
    - if: $CI_COMMIT_BRANCH
job: {script: x}
`
  test.each<[keyof typeof EVENTS, string]>([
    ['merge request', 'job'],
    ['push', 'job'],
    ['push with a merge request', 'filtered'],
  ])('%s: %s', async (event, outcome) => {
    expect(await selected(text, EVENTS[event])).toEqual([outcome])
  })
})
