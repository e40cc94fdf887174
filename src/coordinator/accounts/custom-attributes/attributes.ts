import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'

/** Owner of the attributes. */
export interface AttributeOwner {
  column: 'user_id' | 'project_id' | 'group_id'
  id: number
}

export interface Attribute {
  key: string
  value: string
}

/** In the order in which they were first set. */
export function listAttributes(database: Database, { column, id }: AttributeOwner): Promise<Attribute[]> {
  return database
    .selectFrom('custom_attribute')
    .select(['key', 'value'])
    .where(column, '=', id)
    .orderBy('id')
    .execute()
}

/** Throws 404 if the attribute is not set. */
export async function findAttribute(
  database: Database,
  { column, id }: AttributeOwner,
  key: string,
): Promise<Attribute> {
  const row = await database
    .selectFrom('custom_attribute')
    .select(['key', 'value'])
    .where(column, '=', id)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!row) throw notFound('CustomAttribute')
  return row
}

export async function setAttribute(
  database: Database,
  { column, id }: AttributeOwner,
  { key, value }: Attribute,
): Promise<Attribute> {
  await database
    .insertInto('custom_attribute')
    .values({ [column]: id, key, value })
    .onConflict((conflict) => conflict.columns([column, 'key']).doUpdateSet({ value }))
    .execute()
  return { key, value }
}

/** Throws 404 if the attribute is not set. */
export async function deleteAttribute(database: Database, owner: AttributeOwner, key: string): Promise<void> {
  await findAttribute(database, owner, key)
  await database
    .deleteFrom('custom_attribute')
    .where(owner.column, '=', owner.id)
    .where('key', '=', key)
    .execute()
}
