import { pathsAbove, problemOfPathName } from './path-name.js'

/** A project or group that may be around what an address names. */
export interface PlaceAbove {
  kind: 'project' | 'group'
  path: string
}

/** What an address is below of, nearest first: the project or group of a page in it, and the groups around that. */
export function placesAbove(pathname: string): PlaceAbove[] {
  const [, groups, path = '', tail] = /^\/(groups\/)?(.+?)\/?(\/-\/.*)?$/.exec(pathname) ?? []
  const names = path.split('/')
  if (names.some((name, index) => problemOfPathName(name, index === 0 ? 'top' : 'inside'))) return []
  const around = pathsAbove(path)
    .map((above): PlaceAbove => ({ kind: 'group', path: above }))
    .reverse()
  if (groups !== undefined) return [{ kind: 'group', path }, ...around]
  return tail !== undefined && names.length > 1 ? [{ kind: 'project', path }, ...around] : around
}
