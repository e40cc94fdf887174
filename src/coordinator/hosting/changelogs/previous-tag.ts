import { RE2JS, RE2JSException } from 're2js'

import { ChangelogError } from './errors.js'
import { compareVersions, parseVersion, type SemanticVersion } from './semantic-version.js'

/** Tags of releases, as `v1.2.3` or `1.2.3`. */
export const DEFAULT_TAG_REGEX = String.raw`^v?(?P<major>0|[1-9]\d*)\.(?P<minor>0|[1-9]\d*)\.(?P<patch>0|[1-9]\d*)(?:-(?P<pre>(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+(?P<meta>[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$`

/**
 * The tag of the last release before `version` among the tags of a project; undefined if there is none. Throws
 * `ChangelogError` for a regular expression that is not valid.
 */
export function previousTag(tags: readonly string[], version: string, regex: string): string | undefined {
  const wanted = parseVersion(version)
  const pattern = compiled(regex)
  let best: { tag: string; version: SemanticVersion } | undefined
  for (const tag of tags) {
    const found = releaseOf(pattern, tag)
    if (!found || !wanted || compareVersions(found, wanted) >= 0) continue
    if (!best || compareVersions(found, best.version) > 0) best = { tag, version: found }
  }
  return best?.tag
}

const NEEDED = ['major', 'minor', 'patch'] as const

/** The version in the name of a tag; undefined for a version before a release, and if a part is missing. */
function releaseOf(pattern: RE2JS, tag: string): SemanticVersion | undefined {
  const groups = pattern.namedGroups()
  const matcher = pattern.matcher(tag)
  if (!matcher.find()) return undefined
  const part = (name: string) =>
    Object.hasOwn(groups, name) ? (matcher.group(name) ?? undefined) : undefined
  if (part('pre')) return undefined
  const numbers = NEEDED.map(part)
  return numbers.every((text) => text !== undefined && /^[0-9]+$/.test(text))
    ? parseVersion(numbers.map((text) => BigInt(text ?? 0)).join('.'))
    : undefined
}

function compiled(regex: string): RE2JS {
  try {
    return RE2JS.compile(regex)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw new ChangelogError(
      `The regular expression to use for finding the previous tag for a version is invalid: ${error.message}`,
      { cause: error },
    )
  }
}
