import { describe, expect, test } from 'vitest'

import { tierOf } from '../../../src/ci-config/environment-tier.js'
import { type JobFacts, predefinedOfJob } from '../../../src/ci-config/variables/predefined-of-job.js'
import { slug } from '../../../src/ci-config/variables/slug.js'
import { jobOf } from '../support/compile-text.js'

function valuesOf(facts: Partial<JobFacts>): Record<string, string> {
  const job = { name: 'job', stage: 'test', when: 'on_success', ...facts } as const
  return Object.fromEntries(predefinedOfJob(job).map(({ key, value }) => [key, value]))
}

test('a plain job is one of one', () => {
  expect(valuesOf({})).toEqual({
    CI_JOB_NAME: 'job',
    CI_JOB_NAME_SLUG: 'job',
    CI_JOB_GROUP_NAME: 'job',
    CI_JOB_STAGE: 'test',
    CI_NODE_TOTAL: '1',
  })
})

test('a job of an environment, started by hand, among others', () => {
  const environment = {
    name: 'review/a',
    action: 'start',
    url: 'https://$CI_COMMIT_REF_SLUG.example',
  } as const
  expect(valuesOf({ when: 'manual', parallel: { index: 2, total: 3 }, environment })).toMatchObject({
    CI_JOB_MANUAL: 'true',
    CI_NODE_INDEX: '2',
    CI_NODE_TOTAL: '3',
    CI_ENVIRONMENT_NAME: 'review/a',
    CI_ENVIRONMENT_ACTION: 'start',
    CI_ENVIRONMENT_TIER: 'development',
    CI_ENVIRONMENT_URL: 'https://$CI_COMMIT_REF_SLUG.example',
  })
  expect(valuesOf({ environment: { ...environment, tier: 'other' } })['CI_ENVIRONMENT_TIER']).toBe('other')
})

test.each([
  ['test 1/3', 'test'],
  ['test: [a, b]', 'test'],
  ['test: [a, [b]] 2/2', 'test'],
  ['test 1 2', 'test'],
  ['test 12', 'test 12'],
  ['a 1/2 b', 'a 1/2 b'],
])('%s is of the group %s', (name, group) => {
  expect(valuesOf({ name })['CI_JOB_GROUP_NAME']).toBe(group)
})

test.each([
  ['Feature/Über_x', 'feature--ber-x'],
  ['--a--', 'a'],
  [`${'a'.repeat(62)}--b`, 'a'.repeat(62)],
  ['', ''],
])('the slug of %j is %j', (name, expected) => {
  expect(slug(name)).toBe(expected)
})

test.each([
  ['review/x', 'development'],
  ['Develop', 'development'],
  ['trunk', 'development'],
  ['acceptance', 'testing'],
  ['acpt', 'testing'],
  ['QA-1', 'testing'],
  ['stg', 'staging'],
  ['staging', 'staging'],
  ['model', 'staging'],
  ['pre-prod', 'staging'],
  ['prd', 'production'],
  ['production', 'production'],
  ['Live', 'production'],
  ['somewhere', 'other'],
])('an environment called %s is of the tier %s', (name, tier) => {
  expect(tierOf(name)).toBe(tier)
})

describe('keywords of a job may name', () => {
  test.each([
    ['$CI_JOB_NAME-$CI_JOB_STAGE-$CI_NODE_TOTAL', 'job-test-1'],
    ['$CI_ENVIRONMENT_NAME', 'review/job'],
    ['$CI_ENVIRONMENT_TIER', 'development'],
    ['$CI_JOB_ID', '$CI_JOB_ID'],
  ])('%s', async (tag, expected) => {
    const text = `job: {script: x, environment: review/$CI_JOB_NAME, tags: ['${tag}']}`
    expect((await jobOf(text, 'job')).tags).toEqual([expected])
  })
})

test('an instance of a parallel job may name its place', async () => {
  const text = 'job: {script: x, parallel: 2, tags: [$CI_NODE_INDEX/$CI_NODE_TOTAL, $CI_JOB_GROUP_NAME]}'
  expect((await jobOf(text, 'job 2/2')).tags).toEqual(['2/2', 'job'])
  const matrix =
    'job: {script: x, parallel: {matrix: [{A: [a, b]}]}, tags: [$A-$CI_NODE_INDEX/$CI_NODE_TOTAL]}'
  expect((await jobOf(matrix, 'job: [b]')).tags).toEqual(['b-2/2'])
})
