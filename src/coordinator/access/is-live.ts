import { type RawBuilder, sql, type SqlBool } from 'kysely'

/** Condition that a row of members or shares is not expired. */
export function isLive(table: string, now: unknown): RawBuilder<SqlBool> {
  const expiry = sql.ref(`${table}.expires_at`)
  return sql<SqlBool>`(${expiry} is null or ${expiry} > ${now})`
}
