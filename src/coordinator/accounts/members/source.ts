import type { Group, Project } from '../../access/caller.js'

/** A project or group that has members. */
export interface Source {
  kind: 'project' | 'group'
  id: number
  /** ID of the group itself, or of the namespace of the project. */
  namespaceId: number
  /** Whether users may request access. */
  takesRequests: boolean
}

export function sourceOfProject({ id, namespace_id, request_access_enabled }: Project): Source {
  return { kind: 'project', id, namespaceId: namespace_id, takesRequests: request_access_enabled }
}

export function sourceOfGroup({ id, request_access_enabled }: Group): Source {
  return { kind: 'group', id, namespaceId: id, takesRequests: request_access_enabled }
}

/** Owner column of a row that belongs to the project or group, with its value. */
export function ownerColumns({ kind, id }: Source): { project_id: number } | { group_id: number } {
  return kind === 'project' ? { project_id: id } : { group_id: id }
}

/** Name of the owner column. */
export function ownerColumn({ kind }: Source): 'project_id' | 'group_id' {
  return kind === 'project' ? 'project_id' : 'group_id'
}
