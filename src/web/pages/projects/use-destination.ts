import { useState } from 'preact/hooks'

import { queryOf } from '../../../addresses/address-of.js'
import { groupApi, groupRecord } from '../../../addresses/first-reads.js'
import { pathNameFrom, problemOfPathName } from '../../../addresses/path-name.js'
import type { Group } from '../../../coordinator/accounts/groups/schema.js'
import { boot } from '../../api/boot.js'
import { useRead } from '../../api/use-read.js'
import { useSearch } from '../../frame/location.js'
import { usePaused } from '../../kit/use-paused.js'
import type { Namespace } from '../../records/namespaces.js'

/** More projects than this with a similar path are left to the server to refuse. */
const MAX_SIMILAR = 100

/** Name and destination of a new project, as a form holds them. */
export interface Destination {
  name: string
  setName: (name: string) => void
  /** Follows the name until it is typed. */
  path: string
  setPath: (path: string) => void
  namespace: Namespace
  setNamespace: (namespace: Namespace) => void
  /** What is wrong with the path; undefined while it is empty. */
  pathProblem: string | undefined
}

/** Begins in the namespace of the query `namespace_id`, or in that of the user. */
export function useProjectDestination(): Destination {
  const [query] = useSearch()
  const own = { id: undefined, path: boot.user?.username ?? '', visibility: 'public' }
  const [name, setName] = useState('')
  const [typedPath, setTypedPath] = useState<string>()
  const [chosen, setNamespace] = useState<Namespace>()
  const namespaceId = query.get('namespace_id')
  const { data: group } = useRead<Group>(namespaceId === null ? undefined : groupRecord(namespaceId))
  const namespace = chosen ?? (group ? { ...group, path: group.full_path } : own)
  const path = typedPath ?? pathNameFrom(name)
  const problem = path === '' ? undefined : problemOfPathName(path, 'inside')
  const isTaken = useIsTaken(namespace, problem === undefined ? path : '')
  return {
    name,
    setName,
    path,
    setPath: (next) => setTypedPath(next === '' ? undefined : next),
    namespace,
    setNamespace,
    pathProblem: problem ?? (isTaken ? 'has already been taken' : undefined),
  }
}

/** Whether a project, or a subgroup, has the path in the namespace, as far as the user may see it. */
function useIsTaken(namespace: Namespace, path: string): boolean {
  const asked = usePaused(path)
  const search = asked === '' || asked !== path ? undefined : asked
  const filter = queryOf({ search, simple: true, per_page: MAX_SIMILAR })
  const list = namespace.id === undefined ? `/users/${boot.user?.id ?? 0}` : groupApi(namespace.id)
  const projects = useRead<{ path_with_namespace: string }[]>(search && `${list}/projects${filter}`).data
  const existence = useRead<{ exists: boolean }>(
    search && namespace.id !== undefined
      ? `/namespaces/${encodeURIComponent(search)}/exists?parent_id=${namespace.id}`
      : undefined,
  ).data
  const full = `${namespace.path}/${path}`.toLowerCase()
  const hasProject = projects?.some((project) => project.path_with_namespace.toLowerCase() === full)
  return search !== undefined && ((hasProject ?? false) || (existence?.exists ?? false))
}
