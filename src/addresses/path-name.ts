/** First path segments that routes of the coordinator use. */
const RESERVED_AT_TOP = new Set([
  '-',
  'admin',
  'api',
  'assets',
  'dashboard',
  'explore',
  'favicon.ico',
  'favicon.svg',
  'files',
  'groups',
  'health_check',
  'help',
  'import',
  'jwt',
  'login',
  'metrics',
  'oauth',
  'profile',
  'projects',
  'public',
  'robots.txt',
  'search',
  'snippets',
  'unsubscribes',
  'uploads',
  'users',
  'v2',
])

const PATH_NAME = /^[a-z0-9_][a-z0-9_.-]*$/i

/** Returns the problem with `name` as one path segment of a project, group or user, or undefined. */
export function problemOfPathName(name: string, place: 'top' | 'inside'): string | undefined {
  if (name === '') return "can't be blank"
  if (name.length > 255) return 'is too long (maximum is 255 characters)'
  if (!PATH_NAME.test(name) || /[.-]$/.test(name)) {
    return 'can contain only letters, digits, "_", "-" and "."; it cannot start with "-" or "." or end with "-" or "."'
  }
  if (/\.(git|atom|lock|wiki)$/i.test(name) || name.includes('..')) return 'is a name that git reserves'
  if (place === 'top' && RESERVED_AT_TOP.has(name.toLowerCase())) return 'is a reserved name'
  return undefined
}

/** The path derived from a name: `My project!` becomes `my-project`, `Zoë` becomes `zoe`. */
export function pathNameFrom(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[-.]+|[-.]+$/g, '')
    .toLowerCase()
}

/** Full paths of all ancestors of a path, outermost first: `a` and `a/b` for `a/b/c`. */
export function pathsAbove(fullPath: string): string[] {
  const parts = fullPath.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
