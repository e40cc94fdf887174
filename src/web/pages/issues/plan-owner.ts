import { addressOf, type Query } from '../../../addresses/address-of.js'
import { groupApi, projectApi } from '../../../addresses/first-reads.js'

/** The project or group that labels and milestones belong to. */
export interface PlanOwner {
  kind: 'project' | 'group'
  /** Full path. */
  path: string
}

/** The path of the owner in the API. */
export function ownerApi({ kind, path }: PlanOwner): string {
  return kind === 'project' ? projectApi(path) : groupApi(path)
}

/** The list of issues of the owner, filtered. */
export function issuesAddress({ kind, path }: PlanOwner, query: Query = {}): string {
  return kind === 'project'
    ? addressOf('issues/list', { project: path }, query)
    : addressOf('issues/of-group', { group: path }, query)
}

/** The list of milestones of the owner. */
export function milestonesAddress({ kind, path }: PlanOwner, query: Query = {}): string {
  return kind === 'project'
    ? addressOf('issues/milestones', { project: path }, query)
    : addressOf('issues/group-milestones', { group: path }, query)
}

/** A board of the owner; the first one without an ID. */
export function boardAddress({ kind, path }: PlanOwner, id?: number, query: Query = {}): string {
  if (id === undefined) {
    return kind === 'project'
      ? addressOf('issues/boards', { project: path }, query)
      : addressOf('issues/group-boards', { group: path }, query)
  }
  return kind === 'project'
    ? addressOf('issues/board', { project: path, id: String(id) }, query)
    : addressOf('issues/group-board', { group: path, id: String(id) }, query)
}
