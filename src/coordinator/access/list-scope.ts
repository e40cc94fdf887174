import type { RawBuilder } from 'kysely'

import type { Database } from '../database/connect.js'
import { namedGroupsIn } from '../database/stores/namespace-store.js'
import { withMemberships } from './memberships.js'
import type { Viewer } from './visibility.js'

/** The limits of a list of many projects, in the form that lets its queries be planned best. */
export interface ListScope<Known extends Viewer> {
  viewer: Known
  /** The group and its subgroups: a list or a subquery. Undefined = all projects. */
  groupIds: RawBuilder<number> | undefined
}

/** Reads the memberships of the viewer, and the groups below `groupId` if there is one. */
export async function readListScope<Known extends Viewer>(
  database: Database,
  { viewer, groupId }: { viewer: Known; groupId?: number | undefined },
): Promise<ListScope<Known>> {
  const [known, groupIds] = await Promise.all([
    withMemberships(database, viewer),
    groupId === undefined ? undefined : namedGroupsIn(database, groupId),
  ])
  return { viewer: known, groupIds }
}
