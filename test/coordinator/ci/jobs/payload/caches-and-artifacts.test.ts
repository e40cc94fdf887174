import { createHash } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import type { PlannedCache } from '../../../../../src/ci-config/plan.js'
import { jobArtifacts } from '../../../../../src/coordinator/ci/jobs/payload/job-artifacts.js'
import { jobCaches } from '../../../../../src/coordinator/ci/jobs/payload/job-caches.js'
import { jobHooks } from '../../../../../src/coordinator/ci/jobs/payload/job-hooks.js'
import type { PayloadFacts } from '../../../../../src/coordinator/ci/jobs/payload/payload-facts.js'

const CACHE: PlannedCache = {
  paths: ['a'],
  untracked: false,
  policy: 'pull-push',
  when: 'on_success',
  unprotect: false,
  fallbackKeys: [],
}

type Job = PayloadFacts['job']

function cachesOf(
  caches: Partial<PlannedCache>[],
  { isProtected = false, ids = [] as string[][], cleared = 0 } = {},
) {
  const options = {
    script: [],
    afterScript: [],
    services: [],
    caches: caches.map((cache) => ({ ...CACHE, ...cache })),
  }
  const job: Pick<Job, 'options' | 'protected'> = { options, protected: isProtected }
  return jobCaches({ job, project: { jobs_cache_index: cleared }, cacheKeyIds: ids })
}

const digest = (text: string) => createHash('sha1').update(text).digest('hex')

describe('the key of a cache', () => {
  test.each<[Partial<PlannedCache>, string[], string]>([
    [{}, [], 'default'],
    [{ key: 'mine-$CI_JOB_NAME' }, [], 'mine-$CI_JOB_NAME'],
    [
      { key: { files: ['package-lock.json'], by: 'content' } },
      ['b', 'a', 'b'],
      `0_package-lock-${digest('a-b')}`,
    ],
    [{ key: { files: ['x/go.sum', 'y'], by: 'content' } }, ['a'], `0_x/go_y-${digest('a')}`],
    [{ key: { files: ['/go.sum', '/y'], by: 'content' } }, ['a'], `0_go_y-${digest('a')}`],
    [{ key: { files: ['a'], by: 'content' } }, [], '0_a-default'],
    [{ key: { files: ['a'], by: 'commit' } }, ['a'], `0-${digest('a')}`],
    [{ key: { files: ['a'], by: 'content', prefix: 'p' } }, ['a'], `p-${digest('a')}`],
    [{ key: { files: ['a'], by: 'content', prefix: '' } }, ['a'], digest('a')],
  ])('%j with the files %j', (cache, ids, expected) => {
    expect(cachesOf([cache], { ids: [ids] })[0]?.key).toBe(`${expected}-non_protected`)
  })

  test('says whether the ref is protected, on every fallback key too', () => {
    const cache = { key: 'a-protected', fallbackKeys: ['b'] }
    expect(cachesOf([cache])[0]).toMatchObject({
      key: 'a-protected-non_protected',
      fallback_keys: ['b-non_protected'],
    })
    expect(cachesOf([cache], { isProtected: true })[0]).toMatchObject({
      key: 'a-protected-protected',
      fallback_keys: ['b-protected'],
    })
    expect(cachesOf([{ ...cache, unprotect: true }], { isProtected: true })[0]?.key).toBe(
      'a-protected-non_protected',
    )
  })
})

test('after the caches were cleared, every key is another one', () => {
  const cache = { key: 'a', fallbackKeys: ['b'] }
  expect(cachesOf([cache], { cleared: 3 })[0]).toMatchObject({
    key: 'a-3-non_protected',
    fallback_keys: ['b-3-non_protected'],
  })
  expect(cachesOf([cache], { cleared: 3, isProtected: true })[0]?.key).toBe('a-3-protected')
})

test('a cache carries the rest as it was planned', () => {
  const cache = { paths: ['a', 'b'], untracked: true, policy: '$P', when: 'always' as const }
  expect(cachesOf([cache])).toEqual([
    { key: 'default-non_protected', fallback_keys: [], key_suffix: '-non_protected', ...cache },
  ])
})

test('reports are artifacts of their own, sent whatever the script did', () => {
  const planned = {
    paths: ['dist/'],
    exclude: ['*.o'],
    untracked: false,
    when: 'on_success' as const,
    expireIn: '1 week',
    reports: { junit: ['a.xml'], secret_detection: ['s.json'], lsif: ['l'], sarif: ['x'] },
  }
  const report = { untracked: false, when: 'always', expire_in: '1 week' }
  expect(jobArtifacts(planned)).toEqual([
    expect.objectContaining({ artifact_type: 'archive', paths: ['dist/'], exclude: ['*.o'] }),
    { ...report, name: 'junit.xml', paths: ['a.xml'], artifact_type: 'junit', artifact_format: 'gzip' },
    {
      ...report,
      name: 'gl-secret-detection-report.json',
      paths: ['s.json'],
      artifact_type: 'secret_detection',
      artifact_format: 'raw',
    },
    { ...report, name: 'lsif.json', paths: ['l'], artifact_type: 'lsif', artifact_format: 'zip' },
    { ...report, name: null, paths: ['x'], artifact_type: 'sarif', artifact_format: 'raw' },
  ])
})

test('reports alone make no archive', () => {
  const planned = { paths: [], exclude: [], untracked: false, when: 'on_success' as const }
  const artifacts = jobArtifacts({ ...planned, reports: { junit: ['a.xml'] } })
  expect(artifacts.map(({ artifact_type }) => artifact_type)).toEqual(['junit'])
})

test('hooks without lines are not sent', () => {
  expect(jobHooks(undefined)).toEqual([])
  expect(jobHooks({ pre_get_sources_script: [] })).toEqual([])
  expect(jobHooks({ pre_get_sources_script: ['a'] })).toEqual([
    { name: 'pre_get_sources_script', script: ['a'] },
  ])
})
