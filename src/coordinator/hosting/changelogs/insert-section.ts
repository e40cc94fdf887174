import { compareVersions, parseVersion } from './semantic-version.js'

/**
 * Adds the section of a version to a changelog, before that of the version that precedes it, or at the end. Undefined if
 * the changelog has a section of the version.
 */
export function insertSection(text: string, version: string, section: string): string | undefined {
  const wanted = parseVersion(version)
  const lines = text.split('\n')
  let before: { line: number; version: ReturnType<typeof parseVersion> } | undefined
  for (const [line, content] of lines.entries()) {
    const [, title = ''] = /^##\s*(\S+)/.exec(content) ?? []
    const found = parseVersion(title)
    if (title === version) return undefined
    if (!found || !wanted || compareVersions(found, wanted) >= 0) continue
    if (!before?.version || compareVersions(found, before.version) > 0) before = { line, version: found }
  }
  if (!before) return text.trim() === '' ? section : `${text.trimEnd()}\n\n${section}`
  return [...lines.slice(0, before.line), section, ...lines.slice(before.line)].join('\n')
}
