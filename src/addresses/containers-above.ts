import { pathsAbove, problemOfPathName } from './path-name.js'

/** A project or group that may contain what an address names. */
export interface ContainerAbove {
  kind: 'project' | 'group'
  path: string
}

/** The projects and groups that contain what an address names, nearest first: those of a page, then their parent groups. */
export function containersAbove(pathname: string): ContainerAbove[] {
  const [, groups, path = '', tail] = /^\/(groups\/)?(.+?)\/?(\/-\/.*)?$/.exec(pathname) ?? []
  const names = path.split('/')
  if (names.some((name, index) => problemOfPathName(name, index === 0 ? 'top' : 'inside'))) return []
  const around = pathsAbove(path)
    .map((above): ContainerAbove => ({ kind: 'group', path: above }))
    .reverse()
  if (groups !== undefined) return [{ kind: 'group', path }, ...around]
  return tail !== undefined && names.length > 1 ? [{ kind: 'project', path }, ...around] : around
}
