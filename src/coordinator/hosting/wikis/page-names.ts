/** Formats of pages with the extensions of their files; the first one is that of new pages (API, G8). */
const EXTENSIONS = {
  markdown: ['md', 'markdown', 'mkd', 'mkdn', 'mkdown'],
  rdoc: ['rdoc'],
  asciidoc: ['asciidoc', 'adoc'],
  org: ['org'],
  // Only git creates pages of these formats.
  textile: ['textile'],
  rst: ['rst', 'rest'],
  creole: ['creole'],
  mediawiki: ['mediawiki', 'wiki'],
  pod: ['pod'],
  plaintext: ['txt'],
} as const satisfies Record<string, readonly [string, ...string[]]>

export type Format = keyof typeof EXTENSIONS
export type NewFormat = 'markdown' | 'rdoc' | 'asciidoc' | 'org'

export const FORMATS: Format[] = [
  ...(['markdown', 'rdoc', 'asciidoc', 'org'] as const),
  ...(['textile', 'rst', 'creole', 'mediawiki', 'pod', 'plaintext'] as const),
]

const BY_EXTENSION = new Map<string, Format>(
  FORMATS.flatMap((format) => EXTENSIONS[format].map((extension) => [extension, format] as const)),
)

/** In bytes; the extension has the rest of what file systems allow. */
const MAX_TITLE_LENGTH = 245
const MAX_FOLDER_LENGTH = 255

/**
 * The slug of a title: spaces become hyphens, and `.` and `..` have no effect beyond the root. Slashes separate folders.
 * `Setup / First steps` becomes `Setup/First-steps`.
 */
export function slugOf(title: string): string {
  const parts: string[] = []
  for (const part of title.split('/')) {
    const name = part.trim().replace(/\s+/g, ' ')
    if (name === '..') parts.pop()
    else if (name !== '' && name !== '.') parts.push(name.replaceAll(' ', '-'))
  }
  return parts.join('/')
}

/** The slug of a page under another title: a plain title stays in its folder, and `/` at the start means the root. */
export function renamedSlug(slug: string, title: string): string {
  const isPlain = !title.trim().startsWith('/') && !slugOf(title).includes('/')
  const folder = slug.slice(0, slug.lastIndexOf('/') + 1)
  return slugOf(isPlain ? `${folder}${title}` : title)
}

/** What is wrong with the slug of a new page; undefined if nothing is. */
export function problemOfSlug(slug: string): string | undefined {
  if (slug === '') return "can't be blank"
  if (/\p{Cc}|\p{Surrogate}/u.test(slug)) return 'is invalid'
  const folders = slug.split('/')
  const name = folders.pop() ?? ''
  if (Buffer.byteLength(name) > MAX_TITLE_LENGTH) return `exceeds the limit of ${MAX_TITLE_LENGTH} bytes`
  const long = folders.find((folder) => Buffer.byteLength(folder) > MAX_FOLDER_LENGTH)
  if (long === undefined) return undefined
  return `exceeds the limit of ${MAX_FOLDER_LENGTH} bytes for directory name "${long.slice(0, 40)}…"`
}

export function pathOf(slug: string, format: Format): string {
  return `${slug}.${EXTENSIONS[format][0]}`
}

/** All paths that a page with this slug can have, the most usual first. */
export function pathsOf(slug: string): string[] {
  return [...BY_EXTENSION.keys()].map((extension) => `${slug}.${extension}`)
}

export interface PageName {
  slug: string
  title: string
  format: Format
}

/** Files that were attached to pages are none themselves. */
const ATTACHED = /^uploads\/[0-9a-f]{32}\//

/** The page that a file is; undefined for other files. */
export function nameOfPath(path: string): PageName | undefined {
  const dot = path.lastIndexOf('.')
  const stem = path.slice(0, dot)
  const format = BY_EXTENSION.get(path.slice(dot + 1).toLowerCase())
  if (!format || stem === '' || stem.endsWith('/') || ATTACHED.test(path)) return undefined
  return { slug: stem.replaceAll(' ', '-'), title: titleOf(stem), format }
}

/** The title of a page is the last part of its path, with spaces in place of hyphens. */
function titleOf(stem: string): string {
  return stem.slice(stem.lastIndexOf('/') + 1).replaceAll('-', ' ')
}
