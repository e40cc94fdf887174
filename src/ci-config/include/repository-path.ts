import { posix } from 'node:path'

/** A path as git has it: slashes in front do not count. */
export function repositoryPath(file: string): string {
  return file.replace(/^\/+/, '')
}

/**
 * Why a path names no file of any repository, with the path to write instead. A commit has each file at one path, without
 * `.`, `..` and empty parts. Undefined for a path that a file may have.
 */
export function whyNoRepositoryPath(file: string): string | undefined {
  const path = repositoryPath(file)
  const parts = path.split('/')
  if (!parts.some((part) => part === '' || part === '.' || part === '..')) return undefined
  const plain = posix.normalize(path)
  const remedy = plain.startsWith('..') ? '' : `: write \`${plain}\``
  return `A path starts at the top of the repository and has no \`.\`, \`..\` or empty parts${remedy}.`
}
