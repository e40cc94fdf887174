import type { Group, Project } from '../../access/caller.js'

/** What somebody is a member of: a project or a group. */
export interface Source {
  kind: 'project' | 'group'
  id: number
  /** The group itself, or the namespace that the project lies in. */
  namespaceId: number
  /** Whether users may ask to become members. */
  takesRequests: boolean
}

export function sourceOfProject({ id, namespace_id, request_access_enabled }: Project): Source {
  return { kind: 'project', id, namespaceId: namespace_id, takesRequests: request_access_enabled }
}

export function sourceOfGroup({ id, request_access_enabled }: Group): Source {
  return { kind: 'group', id, namespaceId: id, takesRequests: request_access_enabled }
}

/** The columns of a row that belongs to it. */
export function ownerColumns({ kind, id }: Source): { project_id: number } | { group_id: number } {
  return kind === 'project' ? { project_id: id } : { group_id: id }
}

/** The column that names it. */
export function ownerColumn({ kind }: Source): 'project_id' | 'group_id' {
  return kind === 'project' ? 'project_id' : 'group_id'
}
