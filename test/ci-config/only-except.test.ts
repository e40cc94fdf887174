import { describe, expect, test } from 'vitest'

import type { PipelineContext } from '../../src/ci-config/plan.js'
import { errorsOf, namesOf, pushOfTag } from './support/compile-text.js'

const branch: Partial<PipelineContext> = {}
const tag: Partial<PipelineContext> = pushOfTag
const web: Partial<PipelineContext> = { source: 'web' }
const feature: Partial<PipelineContext> = { ref: 'feature/Login' }

test('a policy without conditions is refused', async () => {
  for (const key of ['only', 'except']) {
    expect(await errorsOf(`job: {script: x, ${key}: {}}`)).toEqual([`jobs:job:${key} config can't be blank`])
  }
})

describe('a job is in the pipeline', () => {
  test.each<[string, Partial<PipelineContext>, boolean]>([
    ['', branch, true],
    ['', tag, true],
    ['only: [main]', branch, true],
    ['only: [main]', feature, false],
    ['only: [mai]', branch, false],
    ['only: [main, dev]', { ref: 'dev' }, true],
    ['only: []', branch, false],
    ['only: [branches]', branch, true],
    ['only: [branches]', tag, false],
    ['only: [tags]', tag, true],
    ['only: [tags]', branch, false],
    ['only: [branches]', web, true],
    ['only: [pushes]', web, false],
    ['only: [pushes]', branch, true],
    ['only: [push]', branch, true],
    ['only: [web]', web, true],
    ['only: [schedules]', { source: 'schedule' }, true],
    ['only: [schedule]', { source: 'schedule' }, true],
    ['only: [triggers]', { source: 'trigger' }, true],
    ['only: [api]', { source: 'api' }, true],
    ['only: [pipelines]', { source: 'pipeline' }, true],
    ['only: [merge_requests]', branch, false],
    ['only: [/^feature/]', feature, true],
    ['only: [/login/]', feature, false],
    ['only: [/login/i]', feature, true],
    ['only: [/^feature$/]', feature, false],
    ['only: ["/feature\\\\/L/"]', feature, true],
    ['only: ["/^v\\\\d/"]', tag, true],
    ['only: [main@group/project]', branch, true],
    ['only: [main@other/project]', branch, false],
    ['only: [branches@group/project]', branch, true],
    ['only: [/^m/@group/project]', branch, true],
    ['only: [/^m/@group/other]', branch, false],
    ['only: {refs: [main]}', branch, true],
    ['only: {refs: [main]}', feature, false],
    ['only: null', branch, true],
    ['except: [main]', branch, false],
    ['except: [main]', feature, true],
    ['except: [tags]', tag, false],
    ['except: [pushes]', branch, false],
    ['except: [branches@other/project]', branch, true],
    ['except: {refs: [/^feat/]}', feature, false],
    ['except: []', branch, true],
    ['only: [branches], except: [main]', branch, false],
    ['only: [branches], except: [main]', feature, true],
  ])('%s for %j: %j', async (keywords, context, isThere) => {
    expect(await namesOf(`job: {script: x, ${keywords}}`, context)).toEqual(isThere ? ['job'] : [])
  })
})

test('a pattern that takes a backtracking engine exponential time is matched in linear time', async () => {
  const text = 'job: {script: x, only: ["/^(a+)+$/"]}'
  expect(await namesOf(text, { ref: `${'a'.repeat(5000)}!` })).toEqual([])
})
