import { type Static, Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { answer, NoBody, type Operation, operation } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
import {
  type AttributeOwner,
  findAttribute,
  listAttributes,
  removeAttribute,
  setAttribute,
} from './attributes.js'

const Key = described(Type.String({ minLength: 1, maxLength: 255 }), 'Name of the attribute.')
const Value = described(Type.String({ maxLength: 10_000 }), 'What it is set to.')
const Id = described(Type.String(), 'Number; of projects and groups also the address.')

const Attribute = Type.Object({ key: Key, value: Value })
const OfOne = Type.Object({ id: Id })
const ByKey = Type.Object({ id: Id, key: Key })
const SetAttribute = Type.Object({ id: Id, key: Key, value: Value })

export interface CustomAttributeDeps {
  database: Database
  /** Each throws 404 for what is not there. */
  userOf: (id: string) => Promise<AttributeOwner>
  projectOf: (idOrPath: string) => Promise<AttributeOwner>
  groupOf: (idOrPath: string) => Promise<AttributeOwner>
}

/** What administrators note about users, projects and groups, for tools of their own (API, C5). */
export function customAttributeOperations(deps: CustomAttributeDeps): Operation[] {
  return [
    ...operationsFor(deps.database, 'users', 'a user', deps.userOf),
    ...operationsFor(deps.database, 'projects', 'a project', deps.projectOf),
    ...operationsFor(deps.database, 'groups', 'a group', deps.groupOf),
  ]
}

function operationsFor(
  database: Database,
  plural: 'users' | 'projects' | 'groups',
  what: string,
  ownerOf: (idOrPath: string) => Promise<AttributeOwner>,
): Operation[] {
  return [
    operation(`GET /${plural}/:id/custom_attributes`, {
      summary: `List the custom attributes of ${what}`,
      access: 'administrator',
      params: OfOne,
      answers: { 200: Type.Array(Attribute) },
      run: async ({ params }) => listAttributes(database, await ownerOf(params.id)),
    }),
    operation(`GET /${plural}/:id/custom_attributes/:key`, {
      summary: `Get a custom attribute of ${what}`,
      access: 'administrator',
      params: ByKey,
      answers: { 200: Attribute },
      run: async ({ params }) => findAttribute(database, await ownerOf(params.id), params.key),
    }),
    operation(`PUT /${plural}/:id/custom_attributes/:key`, {
      summary: `Set a custom attribute of ${what}`,
      access: 'administrator',
      params: SetAttribute,
      answers: { 200: Attribute },
      run: async ({ params }) => setAttribute(database, await ownerOf(params.id), attributeIn(params)),
    }),
    operation(`DELETE /${plural}/:id/custom_attributes/:key`, {
      summary: `Take a custom attribute of ${what} away`,
      access: 'administrator',
      params: ByKey,
      answers: { 204: NoBody },
      run: async ({ params }) => {
        await removeAttribute(database, await ownerOf(params.id), params.key)
        return answer(204)
      },
    }),
  ]
}

function attributeIn({ key, value }: Static<typeof SetAttribute>): Static<typeof Attribute> {
  return { key, value }
}
