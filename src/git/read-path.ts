import { basename, dirname } from 'node:path/posix'

import { unreadableObject } from './errors.js'
import { isTreePath } from './names.js'
import type { GitObject, ObjectReader } from './object-reader.js'
import { parseTree } from './parse-tree.js'

const MAX_TREE_BYTES = 16 * 1024 * 1024

/**
 * The object at a path of a commit; an empty path is its root. Undefined if the commit has no such path. Throws `GitError`
 * if the commit has it and the object is missing or damaged, for which git itself prints the same.
 */
export async function readPath(
  objects: ObjectReader,
  sha: string,
  path: string,
  maxBytes: number,
): Promise<GitObject | undefined> {
  const object = await objects.read(`${sha}:${path}`, maxBytes)
  if (object) return object
  if (path === '') {
    if (await objects.read(`${sha}^{commit}`, MAX_TREE_BYTES)) throw unreadableObject(sha)
    return undefined
  }
  if (!isTreePath(path)) return undefined
  const folder = dirname(path)
  const tree = await readPath(objects, sha, folder === '.' ? '' : folder, MAX_TREE_BYTES)
  const version = tree?.type === 'tree' ? parseTree(tree.content).get(basename(path)) : undefined
  // A submodule is a commit of another repository.
  if (version === undefined || version.startsWith('160000')) return undefined
  throw unreadableObject(Buffer.from(version.slice(-20), 'latin1').toString('hex'))
}
