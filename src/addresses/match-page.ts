import { type PageMatch, type PageName, PAGES, PATH_PARAMS } from './page-table.js'

const SEGMENT = '[^/]+'
/** Names of groups and projects never begin with a hyphen, so `/-/` ends the path of a project. */
const NAME = '(?!-(?:/|$))[^/]+'
const REST = '.*'
/** Records of groups name this form of the address of a group. */
const GROUP_PREFIX = /^\/groups(?=\/)/

const TABLE = (Object.entries(PAGES) as [PageName, string][]).map(([name, pattern]) => ({
  name,
  ...compile(pattern),
}))

/**
 * The page at an address, with decoded parameters. Undefined if the path of the address is that of no page.
 * @param pathname the path of an address, as it is encoded there; a slash at its end is ignored
 */
export function matchPage(pathname: string): PageMatch | undefined {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname
  for (const { name, pattern, params } of TABLE) {
    const found = pattern.exec(name === 'overview' ? path.replace(GROUP_PREFIX, '') : path)
    if (!found) continue
    const values = params.map((_, index) => decode(found[index + 1] ?? ''))
    if (values.includes(undefined)) return undefined
    return {
      name,
      params: Object.fromEntries(params.map((param, index) => [param, values[index] as string])),
    }
  }
  return undefined
}

function compile(pattern: string): { pattern: RegExp; params: string[] } {
  const params: string[] = []
  const source = pattern
    .slice(1)
    .split('/')
    .map((segment, index) => {
      const slash = index === 0 ? '' : '/'
      const [name = '', words] = segment.slice(1).split(/[()]/)
      if (segment.startsWith('*')) {
        params.push(name)
        // What follows may be missing: `/-/commits` shows the default branch.
        return `(?:${slash}(${REST}))?`
      }
      if (!segment.startsWith(':')) return slash + segment.replace(/[.+]/g, '\\$&')
      params.push(name)
      return `${slash}(${words ?? (PATH_PARAMS.has(name) ? pathOf(name) : SEGMENT)})`
    })
    .join('')
  return { pattern: new RegExp(`^/${source}$`), params }
}

/** A project is always inside a group or a user's namespace. */
function pathOf(name: string): string {
  return name === 'project' ? `${NAME}(?:/${NAME})+?` : `${NAME}(?:/${NAME})*?`
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
