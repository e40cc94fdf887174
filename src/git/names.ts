/** In the place of an id: the ref does not exist (before), or goes away (after). */
export const ZERO_ID = '0'.repeat(40)

export function isObjectId(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text)
}

/**
 * Whether git accepts `name` below `refs/heads/` or `refs/tags/`. What passes has no meaning beyond the name: no
 * `^`, `~`, `:`, `@{` of the revision language, no wildcard, no line end. A name with a lone surrogate has no UTF-8.
 */
export function isRefName(name: string): boolean {
  // eslint-disable-next-line no-control-regex -- control characters are what git refuses
  const forbidden = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.$|^\/|\/$|^-/
  if (name === '' || name === '@' || forbidden.test(name) || hasLoneSurrogate(name)) return false
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
}

function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text)
}

/** Git keeps a ref in a file of its name, beside which it makes one with `.lock`: file systems take 255 bytes. */
export const MAX_REF_NAME_BYTES = 250

/** Of a branch or tag, without `refs/heads/` or `refs/tags/`. */
export function isLongRefName(name: string): boolean {
  return Buffer.byteLength(name) > MAX_REF_NAME_BYTES
}

/**
 * Whether a branch or tag may be made under `name` (API, E1, E6): neither what git refuses, nor what reads as
 * something else, an id, `HEAD` or the full name of a ref.
 */
export function isNewRefName(name: string): boolean {
  return (
    isRefName(name) &&
    !isLongRefName(name) &&
    !isObjectId(name) &&
    name !== 'HEAD' &&
    !name.startsWith('refs/')
  )
}

export type RefKind = 'branch' | 'tag'

/** `refs/heads/x` taken apart; undefined for a ref that is neither branch nor tag. */
export function branchOrTag(ref: string): { kind: RefKind; name: string } | undefined {
  if (ref.startsWith('refs/heads/')) return { kind: 'branch', name: ref.slice('refs/heads/'.length) }
  if (ref.startsWith('refs/tags/')) return { kind: 'tag', name: ref.slice('refs/tags/'.length) }
  return undefined
}

/** Bytes; git's index and many file systems take no longer ones. */
const MAX_PATH_BYTES = 4095

/** Whether `path` can name something in a tree: relative, with `/`, no empty part, no `.` and no `..`. */
export function isTreePath(path: string): boolean {
  if (path === '' || path.includes('\0') || Buffer.byteLength(path) > MAX_PATH_BYTES) return false
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}
