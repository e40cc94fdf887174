import { type RawBuilder, sql, type SqlBool } from 'kysely'

/** Who looks, as far as lists care; undefined = a caller without a credential. */
export type Viewer = { id: number; is_admin: boolean; external: boolean } | undefined

/** Whether the viewer may see the project of a row. */
export function maySeeProject(viewer: Viewer): RawBuilder<SqlBool> {
  if (viewer?.is_admin) return sql<SqlBool>`true`
  if (!viewer) return sql<SqlBool>`project.visibility = 'public'`
  const open = viewer.external ? ['public'] : ['public', 'internal']
  return sql<SqlBool>`(project.visibility in (${sql.join(open)}) or ${isMemberOfProject(viewer.id, 1)})`
}

/** Whether the user is a member of the project of a row, with at least that level. */
export function isMemberOfProject(userId: number, least: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(
    project.namespace_id in (select id from namespace where owner_id = ${userId})
    or project.id in (
      select project_id from member where user_id = ${userId} and access_level >= ${least}
        and (expires_at is null or expires_at > ${Date.now()})))`
}
