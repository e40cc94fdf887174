import { expect, test } from 'vitest'

import { parseTree } from '../../src/git/parse-tree.js'

function entry(mode: string, name: string, id: number): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.alloc(20, id)])
}

test('a tree has a version for each name, which its mode and its ID change', () => {
  const versionOf = (...entries: Buffer[]) => parseTree(Buffer.concat(entries)).get('a')
  const tree = parseTree(Buffer.concat([entry('100644', 'a', 1), entry('40000', 'ü b', 2)]))
  expect([...tree.keys()]).toEqual(['a', 'ü b'])
  const version = tree.get('a')
  expect(versionOf(entry('40000', '0', 9), entry('100644', 'a', 1))).toBe(version)
  expect(versionOf(entry('100755', 'a', 1))).not.toBe(version)
  expect(versionOf(entry('100644', 'a', 2))).not.toBe(version)
})

test('IDs with every byte are kept apart', () => {
  const ids = [0, 10, 13, 32, 127, 128, 255]
  const tree = parseTree(Buffer.concat(ids.map((id) => entry('100644', `file ${id}`, id))))
  expect(tree.size).toBe(ids.length)
  expect(new Set(tree.values()).size).toBe(ids.length)
})

test('an empty tree and a tree that is cut off have no further entries', () => {
  expect(parseTree(Buffer.alloc(0)).size).toBe(0)
  expect(parseTree(Buffer.from('100644 a'))).toEqual(new Map())
})
