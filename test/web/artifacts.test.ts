import { expect, test } from 'vitest'

import { fileAddress, folderAddress, folderOf } from '../../src/web/pages/jobs/artifact-paths.js'
import { readersInstead } from '../../src/web/pages/jobs/artifact-readers.js'
import { prettyJson } from '../../src/web/pages/jobs/artifact/pretty-json.js'

test.each([
  ['all', 0, undefined],
  ['developer', 30, undefined],
  ['developer', 20, 'developers and above'],
  ['maintainer', 30, 'maintainers and above'],
  ['none', 60, 'jobs of its pipeline'],
] as const)('artifacts for %s, at level %i', (access, level, readers) => {
  expect(readersInstead({ artifacts_access: access }, { level })).toBe(readers)
})

test('addresses of artifacts keep the slashes of paths', () => {
  expect(fileAddress('a/b', 7, 'my dir/ä#1.txt')).toBe('/a/b/-/jobs/7/artifacts/raw/my%20dir/%C3%A4%231.txt')
  expect(folderAddress('a/b', 7, 'x/y')).toBe('/api/v4/projects/a%2Fb/jobs/7/artifacts/folder?path=x%2Fy')
  expect(['a/b/c', 'c', ''].map(folderOf)).toEqual(['a/b', '', ''])
})

test('JSON in long lines is formatted, and other texts are not', () => {
  const values = Array.from({ length: 300 }, (_, index) => index)
  expect(prettyJson('a.json', JSON.stringify({ values }))).toBe(JSON.stringify({ values }, null, 2))
  expect(prettyJson('a.json', '{"a":1}')).toBeUndefined()
  expect(prettyJson('a.json', `{${'x'.repeat(500)}`)).toBeUndefined()
  expect(prettyJson('a.txt', JSON.stringify({ values }))).toBeUndefined()
})
