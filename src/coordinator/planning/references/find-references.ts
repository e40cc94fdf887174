import { isEscaped, partsOutsideCode, type Span } from './outside-code.js'
import type { ReferenceBudget } from './reference-budget.js'
import type { Reference, ReferenceKind, ReferenceOf, Target } from './reference.js'

const WORD = /[\p{L}\p{N}_]/u
const PATH_RUN = /[\w./-]+/y
const LAST_OF_WORD = /\w$/
const PATH = /^[A-Za-z0-9_.][\w.-]*(?:\/[A-Za-z0-9_.][\w.-]*)*$/
const SHA = /^[0-9a-f]{7,40}$/
const MAX_PATH_LENGTH = 1024
const MAX_NAME_LENGTH = 255
const MAX_URL_LENGTH = 2048
const MAX_ID = 2_147_483_647

/**
 * How much of the start of a text is searched for references, in characters. Longer texts are not formatted as Markdown
 * either.
 */
export const MAX_SEARCHED = 64 * 1024

interface SearchOptions<K extends ReferenceKind> {
  /** Public address without a trailing slash. */
  externalUrl: string
  /** How many references of which kinds are wanted; the search ends when there are so many of each. */
  wanted: ReferenceBudget<K>
}

/**
 * References in a Markdown text, outside of code, in their order: `#1`, `app#3`, `group/app#3`, `!2`, `$4`, `@name`,
 * `~label`, `~"two words"`, `%milestone`, commit IDs of 7 to 40 digits, `group/app@1234567`, and URLs of this
 * instance. They are candidates: whether what they name exists, and who may see it, is for the caller to decide.
 * Linear in the length of the searched text: the first `MAX_SEARCHED` characters.
 */
export function findReferences<K extends ReferenceKind>(
  text: string,
  { externalUrl, wanted }: SearchOptions<K>,
): ReferenceOf<K>[] {
  const searched = text.slice(0, MAX_SEARCHED)
  const found: ReferenceOf<K>[] = []
  if (!wanted.mayBeIn(searched)) return found
  for (const part of partsOutsideCode(searched)) {
    if (wanted.isSpent) break
    collect(text, searched, part, { externalUrl, wanted }, found)
  }
  return found
}

/** References in a text that is not Markdown. */
export function findPlainReferences<K extends ReferenceKind>(
  text: string,
  options: SearchOptions<K>,
): ReferenceOf<K>[] {
  const searched = text.slice(0, MAX_SEARCHED)
  const found: ReferenceOf<K>[] = []
  if (!options.wanted.mayBeIn(searched)) return found
  collect(text, searched, { start: 0, end: searched.length }, options, found)
  return found
}

function collect<K extends ReferenceKind>(
  text: string,
  searched: string,
  part: Span,
  { externalUrl, wanted }: SearchOptions<K>,
  found: ReferenceOf<K>[],
): void {
  for (const reference of referencesIn(searched, part, `${externalUrl}/`)) {
    // Only its first characters may have been searched.
    if (reference.end === searched.length && text.length > searched.length) return
    if (wanted.take(reference)) found.push(reference)
    if (wanted.isSpent) return
  }
}

const START = /[A-Za-z0-9_./#!$@~%-]/g

function* referencesIn(text: string, { start, end }: Span, base: string): Generator<Reference> {
  const part = text.slice(start, end)
  let at = start
  while (at < end) {
    START.lastIndex = at - start
    const next = START.exec(part)
    if (!next) return
    at = start + next.index
    const step = SIGILS.has(next[0]) ? fromSigil(text, at, end) : fromRun(text, at, end, base)
    if (step.found) yield { ...step.found, start: step.from ?? at, end: step.end }
    at = step.end
  }
}

interface Step {
  found?: Target & { isUrl?: true }
  /** Where the reference starts, if not at the start of the step. */
  from?: number
  /** Where to look on. */
  end: number
}

type SigilReader = (text: string, at: number, end: number) => { target: Target; end: number } | undefined

const SIGILS = new Map<string, SigilReader>([
  ['#', (text, at, end) => numbered(text, at, end, (iid) => ({ kind: 'issue', iid }))],
  ['!', (text, at, end) => numbered(text, at, end, (iid) => ({ kind: 'merge_request', iid }))],
  ['$', (text, at, end) => numbered(text, at, end, (id) => ({ kind: 'snippet', id }))],
  ['~', (text, at, end) => named(text, at, end, 'label')],
  ['%', (text, at, end) => named(text, at, end, 'milestone')],
  ['@', mention],
])

/** A sigil that no path precedes. */
function fromSigil(text: string, at: number, end: number): Step {
  const before = text.charAt(at - 1)
  const sigil = text.charAt(at)
  const isInside = WORD.test(before) || before === '&' || (sigil === '~' && before === '~')
  if (isInside || isEscaped(text, at)) return { end: at + 1 }
  const read = SIGILS.get(sigil)?.(text, at + 1, end)
  return read ? { found: read.target, end: read.end } : { end: at + 1 }
}

/** What begins with characters of a path: a URL, a path with a sigil, a commit ID, or words. */
function fromRun(text: string, at: number, end: number, base: string): Step {
  const runEnd = Math.min(end, runFrom(text, at, PATH_RUN))
  const run = text.slice(at, runEnd)
  const scheme = /https?$/.exec(run)
  if (scheme && text.startsWith('://', runEnd)) return fromUrl(text, at + scheme.index, end, base)
  const isSigil = runEnd < end && SIGILS.has(text.charAt(runEnd))
  if (isSigil && LAST_OF_WORD.test(run)) return afterPath(text, at, runEnd, end)
  const word = withoutTail(run, './-')
  const before = text.charAt(at - 1)
  const isWhole = !SIGILS.has(before) && !WORD.test(before) && !WORD.test(text.charAt(runEnd))
  if (isWhole && SHA.test(word)) return { found: { kind: 'commit', sha: word }, end: at + word.length }
  return { end: runEnd }
}

function afterPath(text: string, at: number, sigilAt: number, end: number): Step {
  const project = text.slice(at, sigilAt)
  const isPath = project.length <= MAX_PATH_LENGTH && !WORD.test(text.charAt(at - 1)) && PATH.test(project)
  if (text.charAt(sigilAt) === '@') {
    // Otherwise an email address, which mentions nobody.
    const nameEnd = Math.min(end, runFrom(text, sigilAt + 1, PATH_RUN))
    const sha = withoutTail(text.slice(sigilAt + 1, nameEnd), './-')
    if (!isPath || !SHA.test(sha)) return { end: Math.max(nameEnd, sigilAt + 1) }
    return { found: { kind: 'commit', sha, project }, end: sigilAt + 1 + sha.length }
  }
  const read = isPath ? SIGILS.get(text.charAt(sigilAt))?.(text, sigilAt + 1, end) : undefined
  if (!read || read.target.kind === 'user') return { end: sigilAt + 1 }
  return { found: { ...read.target, project }, end: read.end }
}

const URL_RUN = /[^\s<>"'`]+/y
const URL_OF =
  /^([\w./-]+?)(?:\/-)?\/(?:(issues|merge_requests)\/(\d{1,10})|commit\/([0-9a-f]{7,40}))(?:[/?#]\S*)?$/

/** A URL is not searched for other references, whatever it leads to. */
function fromUrl(text: string, at: number, end: number, base: string): Step {
  const urlEnd = Math.min(end, runFrom(text, at, URL_RUN))
  if (urlEnd - at > MAX_URL_LENGTH) return { end: urlEnd }
  const url = withoutTail(text.slice(at, urlEnd), ').,;:!?]}*_')
  const found = url.startsWith(base) ? targetOfUrl(url.slice(base.length)) : undefined
  return found ? { found: { ...found, isUrl: true }, from: at, end: at + url.length } : { end: urlEnd }
}

function targetOfUrl(rest: string): Target | undefined {
  const [, project, page, digits, sha] = URL_OF.exec(rest) ?? []
  if (project === undefined || !PATH.test(project)) return undefined
  if (sha !== undefined) return { kind: 'commit', sha, project }
  const iid = idIn(digits ?? '')
  if (iid === undefined) return undefined
  return { kind: page === 'issues' ? 'issue' : 'merge_request', iid, project }
}

const DIGITS = /\d+/y

function numbered(
  text: string,
  at: number,
  end: number,
  targetOf: (id: number) => Target,
): { target: Target; end: number } | undefined {
  const digitsEnd = Math.min(end, runFrom(text, at, DIGITS))
  const id = idIn(text.slice(at, digitsEnd))
  if (id === undefined || (digitsEnd < end && WORD.test(text.charAt(digitsEnd)))) return undefined
  return { target: targetOf(id), end: digitsEnd }
}

function idIn(digits: string): number | undefined {
  const id = digits.length > 0 && digits.length <= 10 ? Number(digits) : 0
  return id > 0 && id <= MAX_ID ? id : undefined
}

const NAME_RUN = /[\p{L}\p{N}_.:?&/-]+/uy

/** A name without spaces, or one in quotation marks. */
function named(
  text: string,
  at: number,
  end: number,
  kind: 'label' | 'milestone',
): { target: Target; end: number } | undefined {
  if (text.charAt(at) === '"') {
    const within = text.slice(at + 1, Math.min(end, at + MAX_NAME_LENGTH + 2))
    const length = within.search(/["\n]/)
    if (length < 1 || within.charAt(length) !== '"') return undefined
    return { target: { kind, name: within.slice(0, length) }, end: at + length + 2 }
  }
  const runEnd = Math.min(end, runFrom(text, at, NAME_RUN))
  const name = withoutTail(text.slice(at, runEnd), '.:?&/-')
  if (name.length === 0 || name.length > MAX_NAME_LENGTH) return undefined
  return { target: { kind, name }, end: at + name.length }
}

function mention(text: string, at: number, end: number): { target: Target; end: number } | undefined {
  const runEnd = Math.min(end, runFrom(text, at, PATH_RUN))
  const name = withoutTail(text.slice(at, runEnd), './-')
  if (name.length > MAX_PATH_LENGTH || !PATH.test(name)) return undefined
  return { target: { kind: 'user', name }, end: at + name.length }
}

/** The end of what the sticky expression matches at a place; the place itself if it does not match. */
function runFrom(text: string, at: number, run: RegExp): number {
  run.lastIndex = at
  const matched = run.exec(text)
  return at + (matched?.[0].length ?? 0)
}

/** The text up to its last character that is none of these. An expression would take quadratic time. */
function withoutTail(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
