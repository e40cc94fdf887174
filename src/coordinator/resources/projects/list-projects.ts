import type { Database } from '../../database/connect.js'
import { containsText } from '../../database/text.js'
import type { Paging, Project, User } from '../../http/operation.js'
import type { ListProjects } from './schema.js'

export interface ProjectFilter extends ListProjects {
  /** Only the projects of this user's personal namespace. */
  personalOf?: number
  namespaceId?: number
}

const OWNER = 50

/** The projects that `viewer` may see, filtered and ordered; newest first unless asked otherwise. */
export async function listProjects(
  database: Database,
  filter: ProjectFilter,
  viewer: User | undefined,
  { perPage, offset }: Paging,
): Promise<{ rows: Project[]; total: number }> {
  const matching = projectsMatching(database, filter, viewer)
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const column = filter.order_by ?? 'created_at'
  const direction = filter.sort ?? 'desc'
  const rows = await matching
    .selectAll('project')
    .orderBy(`project.${column}`, direction)
    .orderBy('project.id', direction)
    .limit(perPage)
    .offset(offset)
    .execute()
  return { rows, total }
}

function projectsMatching(database: Database, filter: ProjectFilter, viewer: User | undefined) {
  const { search, visibility, archived, personalOf, namespaceId } = filter
  let query = database
    .selectFrom('project')
    .innerJoin('namespace', 'namespace.id', 'project.namespace_id')
    .leftJoin('member', (join) =>
      join
        .onRef('member.project_id', '=', 'project.id')
        .on('member.user_id', '=', viewer?.id ?? 0)
        .on(({ or, eb }) =>
          or([eb('member.expires_at', 'is', null), eb('member.expires_at', '>', Date.now())]),
        ),
    )
  if (!viewer?.is_admin) {
    const open = viewer && !viewer.external ? (['public', 'internal'] as const) : (['public'] as const)
    query = query.where(({ or, eb }) =>
      or([
        eb('project.visibility', 'in', open),
        eb('member.id', 'is not', null),
        eb('namespace.owner_id', '=', viewer?.id ?? 0),
      ]),
    )
  }
  if (search) {
    query = query.where(({ or, ref }) =>
      or([containsText(ref('project.name'), search), containsText(ref('project.path'), search)]),
    )
  }
  if (visibility) query = query.where('project.visibility', '=', visibility)
  if (archived !== undefined) query = query.where('project.archived', '=', archived)
  if (namespaceId !== undefined) query = query.where('project.namespace_id', '=', namespaceId)
  if (personalOf !== undefined) {
    query = query.where('namespace.owner_id', '=', personalOf).where('namespace.kind', '=', 'user')
  }
  const least = leastLevel(filter)
  if (least > 0) {
    query = query.where(({ or, eb }) =>
      or([eb('member.access_level', '>=', least), eb('namespace.owner_id', '=', viewer?.id ?? 0)]),
    )
  }
  // Nobody can star a project yet, so none is starred.
  if (filter.starred) query = query.where('project.id', '=', 0)
  return query
}

function leastLevel({ owned, membership, min_access_level }: ListProjects): number {
  return Math.max(owned ? OWNER : 0, membership ? 1 : 0, min_access_level ?? 0)
}
