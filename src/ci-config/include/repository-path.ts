/** A path in the form of git: leading slashes are removed. */
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
  const plain = normalized(parts)
  const remedy = plain === undefined ? '' : `: write \`${plain}\``
  return `A path starts at the top of the repository and has no \`.\`, \`..\` or empty parts${remedy}.`
}

/** Normalizes a path; undefined for one that leaves the repository. */
function normalized(parts: readonly string[]): string | undefined {
  const kept: string[] = []
  for (const part of parts) {
    if (part === '..' && kept.pop() === undefined) return undefined
    if (part !== '' && part !== '.' && part !== '..') kept.push(part)
  }
  return kept.join('/')
}
