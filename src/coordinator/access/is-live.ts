import { type RawBuilder, sql, type SqlBool } from 'kysely'

/** Whether a row of members or shares still counts: one whose day has come counts for nothing at once. */
export function isLive(table: string, now: unknown): RawBuilder<SqlBool> {
  const expiry = sql.ref(`${table}.expires_at`)
  return sql<SqlBool>`(${expiry} is null or ${expiry} > ${now})`
}
