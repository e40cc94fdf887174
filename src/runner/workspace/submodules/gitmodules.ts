import { createHash } from 'node:crypto'

/** One section of `.gitmodules`. */
export interface Submodule {
  name: string
  path: string
  url: string
  /** For `--remote`. Undefined means the default branch. */
  branch: string | undefined
}

/**
 * Parses the output of `git config --list -z` for a `.gitmodules` file: `submodule.<name>.<key>\n<value>\0`. Skips
 * sections without path or URL, and sections with names that git refuses too. The later of two values counts.
 */
export function parseGitmodules(listing: string): Submodule[] {
  const sections = new Map<string, Map<string, string>>()
  for (const entry of listing.split('\0')) {
    const [, name, key, value] = /^submodule\.([^]+)\.([a-z][a-z0-9-]*)\n([^]*)$/i.exec(entry) ?? []
    if (name === undefined || key === undefined || value === undefined || !isSafeName(name)) continue
    const section = sections.get(name) ?? new Map<string, string>()
    sections.set(name, section.set(key.toLowerCase(), value))
  }
  return [...sections].flatMap(([name, section]) => {
    const [path, url] = [section.get('path'), section.get('url')]
    return path === undefined || url === undefined ? [] : [{ name, path, url, branch: section.get('branch') }]
  })
}

/** A unique path component for each name. */
export function directoryOf(name: string): string {
  if (/^[A-Za-z0-9_][\w.-]{0,99}$/.test(name) && !name.endsWith('.lock')) return name
  return `_${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
}

function isSafeName(name: string): boolean {
  return !/[\r\n\0]/.test(name) && !name.split(/[\\/]/).includes('..')
}
