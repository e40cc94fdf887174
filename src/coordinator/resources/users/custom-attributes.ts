import { type Static, Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'
import { answer, NoBody, type Operation, operation } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
import { UserId } from './schema.js'
import { existingUser } from './users.js'

const Key = described(Type.String({ minLength: 1, maxLength: 255 }), 'Name of the attribute.')
const Value = described(Type.String({ maxLength: 10_000 }), 'What it is.')

const CustomAttribute = Type.Object({ key: Key, value: Value })
type CustomAttribute = Static<typeof CustomAttribute>

const ByKey = Type.Object({ ...UserId.properties, key: Key })
const SetAttribute = Type.Object({ ...ByKey.properties, value: Value })

/** What administrators note about users, for tools of their own (API gaps, C5). */
export function customAttributeOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /users/:id/custom_attributes', {
      summary: 'List the custom attributes of a user',
      access: 'administrator',
      params: UserId,
      answers: { 200: Type.Array(CustomAttribute) },
      run: async ({ params }) => listAttributes(database, params.id),
    }),
    operation('GET /users/:id/custom_attributes/:key', {
      summary: 'Get a custom attribute of a user',
      access: 'administrator',
      params: ByKey,
      answers: { 200: CustomAttribute },
      run: async ({ params }) => findAttribute(database, params),
    }),
    operation('PUT /users/:id/custom_attributes/:key', {
      summary: 'Set a custom attribute of a user',
      access: 'administrator',
      params: SetAttribute,
      answers: { 200: CustomAttribute },
      run: async ({ params }) => setAttribute(database, params),
    }),
    operation('DELETE /users/:id/custom_attributes/:key', {
      summary: 'Take a custom attribute of a user away',
      access: 'administrator',
      params: ByKey,
      answers: { 204: NoBody },
      run: async ({ params }) => {
        await deleteAttribute(database, params)
        return answer(204)
      },
    }),
  ]
}

async function listAttributes(database: Database, userId: number): Promise<CustomAttribute[]> {
  await existingUser(database, userId)
  return database
    .selectFrom('user_custom_attribute')
    .select(['key', 'value'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

async function findAttribute(
  database: Database,
  { id, key }: Static<typeof ByKey>,
): Promise<CustomAttribute> {
  await existingUser(database, id)
  const row = await database
    .selectFrom('user_custom_attribute')
    .select(['key', 'value'])
    .where('user_id', '=', id)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!row) throw notFound('CustomAttribute')
  return row
}

async function setAttribute(
  database: Database,
  { id, key, value }: Static<typeof SetAttribute>,
): Promise<CustomAttribute> {
  await existingUser(database, id)
  await database
    .insertInto('user_custom_attribute')
    .values({ user_id: id, key, value })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet({ value }))
    .execute()
  return { key, value }
}

async function deleteAttribute(database: Database, params: Static<typeof ByKey>): Promise<void> {
  await findAttribute(database, params)
  await database
    .deleteFrom('user_custom_attribute')
    .where('user_id', '=', params.id)
    .where('key', '=', params.key)
    .execute()
}
