import fc from 'fast-check'
import { expect, test } from 'vitest'

import { ArchiveDirectory } from '../../../../../src/coordinator/ci/storage/artifacts/archive-directory.js'
import { fuzzRuns } from '../../../../support/fuzz-runs.js'
import { testAtNight } from '../../../../support/nightly.js'

const ALL = { offset: 0, count: 1000 }

/** A directory of these entries; those that end in `/` are folders. */
function directoryOf(names: readonly string[]) {
  const directory = new ArchiveDirectory()
  for (const [index, name] of names.entries()) {
    directory.add({
      kind: name.endsWith('/') ? 'directory' : 'file',
      name,
      size: index + 1,
      compressedSize: index * 2,
      crc32: 0xffffffff - index,
      method: index % 2 === 0 ? 8 : 0,
      isEncrypted: index % 3 === 0,
      offset: index * 1e10,
    })
  }
  directory.finish()
  return directory
}

test('the entries of a folder are its folders and its files, by name', () => {
  const directory = directoryOf([
    'b.txt',
    'dist/z/1',
    'dist/a',
    'dist/z/2',
    'a.txt',
    'Z',
    'empty/',
    'dist/Y/x',
  ])
  expect(directory.list('', ALL)).toEqual({
    total: 5,
    entries: [
      { name: 'dist', type: 'directory', size: 2 + 3 + 4 + 8, entries: 3 },
      { name: 'empty', type: 'directory', size: 0, entries: 0 },
      { name: 'Z', type: 'file', size: 6 },
      { name: 'a.txt', type: 'file', size: 5 },
      { name: 'b.txt', type: 'file', size: 1 },
    ],
  })
  expect(directory.list('dist', ALL)?.entries.map(({ name }) => name)).toEqual(['Y', 'z', 'a'])
  expect(directory.list('empty', ALL)).toEqual({ total: 0, entries: [] })
})

test.each(['dist/a', 'none', 'dist/none', 'dist/z/'])('%s is no folder', (path) => {
  expect(directoryOf(['dist/a', 'dist/z/1']).list(path, ALL)).toBeUndefined()
})

test('a part of a folder is listed', () => {
  const directory = directoryOf(['f1', 'f2', 'd1/x', 'd2/x', 'f3'])
  const part = (offset: number, count: number) =>
    directory.list('', { offset, count })?.entries.map(({ name }) => name)
  expect([part(0, 1), part(1, 2), part(4, 9), part(5, 1), part(2, 0)]).toEqual([
    ['d1'],
    ['d2', 'f1'],
    ['f3'],
    [],
    [],
  ])
})

test('a folder is searched by a part of names, in any case', () => {
  const directory = directoryOf(['Report.xml', 'a/report', 'reports/x', 'b'])
  const found = (search: string, offset = 0, count = 9) => {
    const { entries = [], total } = directory.list('', { offset, count, search }) ?? {}
    return [total, entries.map(({ name }) => name)]
  }
  expect(found('REPORT')).toEqual([2, ['reports', 'Report.xml']])
  expect(found('report', 1, 1)).toEqual([2, ['Report.xml']])
  expect(found('c')).toEqual([0, []])
})

test('names that lead to no place are left out, and of one name the first file counts', () => {
  const names = ['../a', '/etc/b', 'x//c', './d', 'x/../e', 'x/\0', 'ok', 'ok', '']
  const directory = directoryOf(names)
  expect(directory.list('', ALL)?.entries).toEqual([{ name: 'ok', type: 'file', size: 7 }])
  expect(directory.find('ok')).toMatchObject({ name: 'ok', size: 7 })
})

test('a file and a folder may have one name', () => {
  const directory = directoryOf(['a', 'a/b'])
  expect(directory.list('', ALL)?.entries.map(({ type }) => type)).toEqual(['directory', 'file'])
  expect(directory.find('a')?.size).toBe(1)
})

testAtNight('thousands of nested folders are counted, and listed', () => {
  const deep = `${'d/'.repeat(20_000)}file`
  const directory = directoryOf([deep])
  expect(directory.bytes).toBeGreaterThan(20_000 * 100)
  expect(directory.list('', ALL)?.entries).toEqual([{ name: 'd', type: 'directory', size: 1, entries: 1 }])
  expect(directory.find(deep)?.size).toBe(1)
})

test('every file is found with all that is known of it', () => {
  const part = fc.constantFrom('a', 'b', 'aa', 'A', 'ä', '.x', 'constructor', '__proto__')
  const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  fc.assert(
    fc.property(fc.array(name, { maxLength: 200 }), (names) => {
      const directory = directoryOf(names)
      for (const path of new Set(names)) {
        const index = names.indexOf(path)
        expect(directory.find(path)).toEqual({
          name: path,
          size: index + 1,
          compressedSize: index * 2,
          crc32: 0xffffffff - index,
          method: index % 2 === 0 ? 8 : 0,
          isEncrypted: index % 3 === 0,
          offset: index * 1e10,
        })
      }
      expect(directory.find('c')).toBeUndefined()
      expect(directory.find('a/c')).toBeUndefined()
    }),
    fuzzRuns(50),
  )
})
