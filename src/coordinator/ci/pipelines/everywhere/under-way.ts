import { type RawBuilder, sql, type SqlBool } from 'kysely'

/**
 * Condition that a pipeline runs or is about to. It is literally that of an index, which has these pipelines
 * alone. Pipelines that wait for a user or for a time are not among them, and may stay so for ever.
 */
export function isUnderWay(): RawBuilder<SqlBool> {
  return sql<SqlBool>`pipeline.status in ('created', 'waiting_for_resource', 'preparing', 'waiting_for_callback', 'pending', 'running', 'canceling')`
}
