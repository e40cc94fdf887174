/** Used in place of an ID: the ref does not exist (old value), or is deleted (new value). */
export const ZERO_ID = '0'.repeat(40)

export function isObjectId(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text)
}

/**
 * Whether git accepts `name` below `refs/heads/` or `refs/tags/`. An accepted name has no other meaning in git: it
 * contains no `^`, `~`, `:`, `@{` of the revision syntax, no wildcard and no line end. A name with a lone surrogate
 * is refused, because it has no UTF-8 form.
 */
export function isRefName(name: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what git refuses
  const forbidden = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.$|^\/|\/$|^-/
  if (name === '' || name === '@' || forbidden.test(name) || hasLoneSurrogate(name)) return false
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
}

function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text)
}

/**
 * Git stores a ref in a file with its name, and creates a file with `.lock` appended beside it. File systems limit
 * names to 255 bytes.
 */
export const MAX_REF_NAME_BYTES = 250

/** For branches and tags, without `refs/heads/` or `refs/tags/`. */
export function isLongRefName(name: string): boolean {
  return Buffer.byteLength(name) > MAX_REF_NAME_BYTES
}

/**
 * Whether a branch or tag with this name may be created (API, E1, E6). The name must be accepted by git, and must
 * not look like an ID, `HEAD` or the full name of a ref.
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

/** Splits `refs/heads/x`. Returns undefined for a ref that is neither a branch nor a tag. */
export function branchOrTag(ref: string): { kind: RefKind; name: string } | undefined {
  if (ref.startsWith('refs/heads/')) return { kind: 'branch', name: ref.slice('refs/heads/'.length) }
  if (ref.startsWith('refs/tags/')) return { kind: 'tag', name: ref.slice('refs/tags/'.length) }
  return undefined
}

const MERGE_REQUEST_REF = /^refs\/merge-requests\/[1-9][0-9]*\/(head|train)$/
const TRAIN_REF = /^refs\/merge-requests\/[1-9][0-9]*\/train$/

/** Matches the refs of the heads of all merge requests, in git's notation. */
export const MERGE_REQUEST_HEADS = 'refs/merge-requests/*/head'

/** The ref of the head of a merge request, in its target project. */
export function mergeRequestRef(iid: number): string {
  return `refs/merge-requests/${iid}/head`
}

/** The ref of the result of a merge request in a merge train, in its target project. */
export function trainRef(iid: number): string {
  return `refs/merge-requests/${iid}/train`
}

/** Whether it is the ref of a result in a merge train, which contains other merge requests too. */
export function isTrainRef(ref: string): boolean {
  return TRAIN_REF.test(ref)
}

/** Whether it is the ref of a merge request, or of its result in a merge train. No branch or tag has such a short name. */
export function isMergeRequestRef(ref: string): boolean {
  return MERGE_REQUEST_REF.test(ref)
}

/** In bytes. Git's index and many file systems do not support longer paths. */
const MAX_PATH_BYTES = 4095

/** Whether `path` is a valid path in a tree: relative, with `/`, without empty components, `.` and `..`. */
export function isTreePath(path: string): boolean {
  if (path === '' || path.includes('\0') || Buffer.byteLength(path) > MAX_PATH_BYTES) return false
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}
