/** A tag that names a version: `1.2.3` or `v1.2.3`. */
interface VersionTag {
  tag: string
  numbers: [number, number, number]
}

const VERSION = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/

/** Whether a component version selects the newest of several: `~latest`, `1`, `1.2` (CI language, 4.5). */
export function isVersionRange(version: string): boolean {
  return version === '~latest' || /^\d{1,9}(\.\d{1,9})?$/.test(version)
}

/** The newest tag in the range, in semantic order; pre-releases are ignored. */
export function newestTag(tags: readonly string[], range: string): string | undefined {
  const wanted = range === '~latest' ? [] : range.split('.').map(Number)
  const versions = tags.map(parseVersion).filter((version) => version !== undefined)
  return versions
    .filter(({ numbers }) => wanted.every((number, index) => numbers[index] === number))
    .sort(newestFirst)[0]?.tag
}

function parseVersion(tag: string): VersionTag | undefined {
  const [, major, minor, patch] = VERSION.exec(tag) ?? []
  return major === undefined ? undefined : { tag, numbers: [Number(major), Number(minor), Number(patch)] }
}

function newestFirst({ numbers: one }: VersionTag, { numbers: other }: VersionTag): number {
  return other[0] - one[0] || other[1] - one[1] || other[2] - one[2]
}
