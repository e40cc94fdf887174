import { expect, test } from 'vitest'

import { insertSection } from '../../../../src/coordinator/hosting/changelogs/insert-section.js'
import { type MergedRequest, originsOf } from '../../../../src/coordinator/hosting/changelogs/origins.js'
import {
  DEFAULT_TAG_REGEX,
  previousTag,
} from '../../../../src/coordinator/hosting/changelogs/previous-tag.js'
import { strftime } from '../../../../src/coordinator/hosting/changelogs/strftime.js'

const TAGS = ['v1.0.0-pre1', 'v1.0.0', 'v1.1.0', 'v2.0.0', '10.0.0+build.1', 'v3', 'nightly']

test.each([
  ['2.1.0', 'v2.0.0'],
  ['1.1.1', 'v1.1.0'],
  ['v1.2.0', 'v1.1.0'],
  ['2.0.0', 'v1.1.0'],
  ['2.0.0-rc.1', 'v1.1.0'],
  ['11.0.0', '10.0.0+build.1'],
  ['1.0.0', undefined],
])('the release before %s is that of the tag %s', (version, tag) => {
  expect(previousTag(TAGS, version, DEFAULT_TAG_REGEX)).toBe(tag)
})

test('a tag whose name lacks a part of the version is not the release before', () => {
  const tags = ['version-1.2.3', 'version-1.3']
  expect(previousTag(tags, '2.0.0', '^version-(?P<major>\\d+)\\.(?P<minor>\\d+)\\.(?P<patch>\\d+)$')).toBe(
    'version-1.2.3',
  )
  expect(previousTag(tags, '2.0.0', '^version-(?P<major>\\d+)')).toBeUndefined()
  expect(() => previousTag(tags, '2.0.0', '(')).toThrow('previous tag for a version is invalid')
})

test.each([
  ['', '1.0.0', '## 1.0.0 (d)\n'],
  ['# Log\n', '1.0.0', '# Log\n\n## 1.0.0 (d)\n'],
  ['# Log\n\n## 1.0.0 (d)\n\n- a\n', '1.1.0', '# Log\n\n## 1.1.0 (d)\n\n## 1.0.0 (d)\n\n- a\n'],
  [
    '## 2.0.0 (d)\n\n- b\n\n## 1.0.0 (d)\n',
    '1.10.0',
    '## 2.0.0 (d)\n\n- b\n\n## 1.10.0 (d)\n\n## 1.0.0 (d)\n',
  ],
  ['## 2.0.0 (d)\n', '2.0.0-rc1', '## 2.0.0 (d)\n\n## 2.0.0-rc1 (d)\n'],
  ['## 2.0.0 (d)\n', '2.0.0', undefined],
])('the changelog %j gets version %s in the order of versions, once', (text, version, expected) => {
  expect(insertSection(text, version, `## ${version} (d)\n`)).toBe(expected)
})

test('dates have the directives of strftime', () => {
  const date = new Date('2024-02-03T04:05:06.007Z')
  expect(strftime('%Y-%m-%d %-d.%-m.%y %e %H:%M:%S %A %b %B %j %p %F %T %Z %% %Q', date)).toBe(
    '2024-02-03 3.2.24  3 04:05:06 Saturday Feb February 034 AM 2024-02-03 04:05:06 UTC % %Q',
  )
})

function merged(iid: number, shas: Partial<MergedRequest>): MergedRequest {
  return { iid, headSha: null, startSha: null, mergeCommitSha: null, squashCommitSha: null, ...shas }
}

test('a commit comes from the oldest merge request with it, however it was merged', () => {
  // m3 merges f2, whose branch has taken in m1; then s is a squash, and r1 and r2 a fast-forward.
  const commits = [
    { id: 'r2', parents: ['r1'] },
    { id: 'r1', parents: ['s'] },
    { id: 's', parents: ['m3'] },
    { id: 'm3', parents: ['d', 'f2'] },
    { id: 'd', parents: ['m1'] },
    { id: 'f2', parents: ['f1', 'm1'] },
    { id: 'f1', parents: ['old'] },
    { id: 'm1', parents: ['old', 'e'] },
    { id: 'e', parents: ['old'] },
  ]
  const origins = originsOf(commits, [
    merged(1, { headSha: 'e', startSha: 'old', mergeCommitSha: 'm1' }),
    merged(2, { headSha: 'f2', startSha: 'd', mergeCommitSha: 'm3' }),
    merged(3, { headSha: 'gone', squashCommitSha: 's' }),
    merged(4, { headSha: 'r2', startSha: 's' }),
    merged(5, { headSha: 'f1', startSha: 'old' }),
  ])
  expect(Object.fromEntries([...origins].map(([id, { iid }]) => [id, iid]))).toEqual({
    e: 1,
    m1: 1,
    f1: 2,
    f2: 2,
    m3: 2,
    s: 3,
    r1: 4,
    r2: 4,
  })
})
