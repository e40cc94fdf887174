import { describe, expect, it } from 'vitest'

import { matchPaths, MAX_MATCHES } from '../../src/web/pages/code/find-file/match-paths.js'

const PATHS = ['README.md', 'src/reader.ts', 'src/read/other.ts', 'test/reader.test.ts']

describe('files by characters of their paths', () => {
  it.each([
    ['reader', ['src/reader.ts', 'test/reader.test.ts', 'src/read/other.ts']],
    ['SRC read', ['src/reader.ts', 'src/read/other.ts']],
    ['readme', ['README.md']],
    ['xyz', []],
    ['', PATHS],
  ])('%j finds %j', (text, paths) => {
    expect(matchPaths(PATHS, text).map(({ path }) => path)).toEqual(paths)
  })

  it('come with the places of the characters', () => {
    expect(matchPaths(['src/a.ts'], 'sa')).toEqual([{ path: 'src/a.ts', at: [0, 4] }])
  })

  it('are no more than can be shown', () => {
    const many = Array.from({ length: 200 }, (_, index) => `file-${index}`)
    expect(matchPaths(many, 'file')).toHaveLength(MAX_MATCHES)
  })
})
