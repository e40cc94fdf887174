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
