import { type Query, queryOf } from '../../addresses/address-of.js'
import { DEVELOPER, MAINTAINER } from '../../coordinator/access/access-levels.js'
import { boot } from '../api/boot.js'
import { useRead } from '../api/use-read.js'
import { creatableIn, type NamedGroup } from './creatable-groups.js'

/** Where a project can be created. */
export interface Namespace {
  /** Undefined for the personal namespace, which is the default of the API. */
  id: number | undefined
  path: string
  visibility: string
}

const COUNT = 50

/**
 * The namespaces in which the user of the page may create projects, with a text in their path: the personal one first, then
 * groups.
 */
export function useNamespaces(search: string): { namespaces: Namespace[]; isLoaded: boolean } {
  const groups = (least: number) =>
    groupsPath({ min_access_level: boot.user?.is_admin ? undefined : least }, search)
  const developed = useRead<NamedGroup[]>(groups(DEVELOPER), { keepsPrevious: true }).data
  const maintained = useRead<NamedGroup[]>(groups(MAINTAINER), { keepsPrevious: true }).data
  const username = boot.user?.username ?? ''
  const own = { id: undefined, path: username, visibility: 'public' }
  const found = creatableIn(developed ?? [], maintained ?? [], boot.user?.is_admin ?? false)
  return {
    namespaces: [
      ...(username.includes(search.toLowerCase()) ? [own] : []),
      ...found.map(({ id, full_path: path, visibility }) => ({ id, path, visibility })),
    ],
    isLoaded: developed !== undefined && maintained !== undefined,
  }
}

/** The path of a group whose record has only the address of its page. */
export function groupPathIn(webUrl: string): string {
  return new URL(webUrl).pathname.replace(/^\/groups\//, '')
}

/** The path of the list of groups with a text in their path, as the API has it. */
export function groupsPath(fixed: Query, search: string): string {
  return `/groups${queryOf({ ...fixed, search: search || undefined, order_by: 'path', per_page: COUNT })}`
}
