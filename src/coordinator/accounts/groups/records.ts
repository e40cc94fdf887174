import { mergeRecords } from '../../../lib/merge-records.js'
import { OWNER } from '../../access/access-levels.js'
import type { User } from '../../access/caller.js'
import { sharesOf } from '../../access/group-shares.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import type { NamespaceRow } from '../../database/stores/namespace-store.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { customAttributesOf } from '../../http/presenters/custom-attributes.js'
import { isoDateOrNull } from '../../http/presenters/present-time.js'
import { presentGroup, presentStatistics } from './present.js'
import type { Group, ListGroups } from './schema.js'
import { type GroupFilter, listGroups, namesAbove, sizesOf } from './store.js'

export interface GroupRecordDeps {
  database: Database
  secrets: SecretBox
  externalUrl: string
  /** Records of the projects of a group, and of the projects that are shared with it. */
  projectsOf: (group: NamespaceRow, viewer: User | undefined) => Promise<ProjectsOfGroup>
}

interface ProjectsOfGroup {
  projects: unknown[]
  shared_projects: unknown[]
}

/** The caller who views a group. */
export interface GroupViewer {
  user: User | undefined
  accessLevel: number
}

/** Builds public records of groups for a viewer. */
export class GroupRecords {
  constructor(readonly deps: GroupRecordDeps) {}

  /** A page of the groups that match the parameters. */
  async list(
    params: ListGroups,
    viewer: User | undefined,
    paging: Paging,
    place: Pick<GroupFilter, 'parentId' | 'below' | 'sharedWith'> = {},
  ): Promise<Page> {
    const { rows, total } = await listGroups(
      this.deps.database,
      { ...filterOf(params, viewer, place), ...place },
      viewer,
      paging,
    )
    const ids = rows.map(({ id }) => id)
    const { database, externalUrl } = this.deps
    const isAdmin = viewer?.is_admin ?? false
    const sizes = params.statistics && isAdmin ? await sizesOf(database, ids) : undefined
    const attributes = await attributesFor(database, ids, params, viewer)
    const names = await namesAbove(database, rows)
    const records = rows.map((row) => {
      const size = sizes?.get(row.id)
      const statistics = size ? { statistics: presentStatistics(size) } : {}
      return mergeRecords(presentGroup(row, names, externalUrl), attributes(row.id), statistics)
    })
    return page(records, total)
  }

  async details(
    group: NamespaceRow,
    { user, accessLevel }: GroupViewer,
    params: { with_projects?: boolean; with_custom_attributes?: boolean } = {},
  ): Promise<Group> {
    const { database, secrets, externalUrl, projectsOf } = this.deps
    const record = presentGroup(group, await namesAbove(database, [group]), externalUrl)
    const shares = await sharesOf(database, 'group_id', [group.id], user)
    const attributes = await attributesFor(database, [group.id], params, user)
    const token = group.runners_token_encrypted
    return {
      ...record,
      membership_lock: group.membership_lock,
      prevent_forking_outside_group: group.prevent_forking_outside_group,
      shared_with_groups: (shares.get(group.id) ?? []).map(({ shared_id: _, ...share }) => ({
        ...share,
        expires_at: isoDateOrNull(share.expires_at),
      })),
      ...(accessLevel >= OWNER ? { runners_token: token === null ? null : secrets.decrypt(token) } : {}),
      ...(user?.is_admin
        ? {
            shared_runners_minutes_limit: group.shared_runners_minutes_limit,
            extra_shared_runners_minutes_limit: group.extra_shared_runners_minutes_limit,
          }
        : {}),
      ...attributes(group.id),
      ...((params.with_projects ?? true) ? await projectsOf(group, user) : {}),
    }
  }
}

/** The part of a record for administrators; empty unless requested by one. */
async function attributesFor(
  database: Database,
  ids: number[],
  { with_custom_attributes: wanted }: { with_custom_attributes?: boolean },
  viewer: User | undefined,
): Promise<(id: number) => Pick<Group, 'custom_attributes'>> {
  if (!wanted || !viewer?.is_admin) return () => ({})
  const found = await customAttributesOf(database, 'group_id', ids)
  return (id) => ({ custom_attributes: found.get(id) ?? [] })
}

/**
 * Filter of a group list. The top-level list of a user has the groups of which the user is a member, unless
 * all visible groups are requested. Lists of subgroups, and lists for administrators and anonymous callers,
 * have all visible groups.
 */
function filterOf(
  params: ListGroups,
  viewer: User | undefined,
  place: Pick<GroupFilter, 'parentId' | 'below' | 'sharedWith'>,
): GroupFilter {
  const { skip_groups, search, order_by, sort, owned, min_access_level, custom_attributes } = params
  const isEverywhere = Object.keys(place).length === 0
  const all = params.all_available ?? (!isEverywhere || viewer === undefined || viewer.is_admin)
  return {
    search,
    sort,
    skip: skip_groups,
    least: Math.max(owned ? OWNER : 0, min_access_level ?? 0, all || !viewer ? 0 : 1),
    orderBy: order_by === 'similarity' ? 'name' : order_by,
    ...(viewer?.is_admin ? { attributes: custom_attributes } : {}),
    ...(params.top_level_only ? { parentId: null } : {}),
  }
}
