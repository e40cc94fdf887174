import { type Static, Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { NoBody, type Operation, operation, respond, type Route } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
import {
  type AttributeOwner,
  deleteAttribute,
  findAttribute,
  listAttributes,
  setAttribute,
} from './attributes.js'

const Key = described(Type.String({ minLength: 1, maxLength: 255 }), 'Name of the attribute.')
const Value = described(Type.String({ maxLength: 10_000 }), 'Value of the attribute.')
const Id = described(Type.String(), 'ID; for projects and groups also the full path.')

const Attribute = Type.Object({ key: Key, value: Value })
const OfOne = Type.Object({ id: Id })
const ByKey = Type.Object({ id: Id, key: Key })
const SetAttribute = Type.Object({ id: Id, key: Key, value: Value })

export interface CustomAttributeDeps {
  database: Database
  /** Each throws 404 if the owner does not exist. */
  userOf: (id: string) => Promise<AttributeOwner>
  projectOf: (idOrPath: string) => Promise<AttributeOwner>
  groupOf: (idOrPath: string) => Promise<AttributeOwner>
}

/** Attributes that administrators set on users, projects and groups, for use by their own tools (API, C5). */
export function customAttributeOperations(deps: CustomAttributeDeps): Operation[] {
  return [
    ...operationsFor(deps.database, {
      routes: {
        list: 'GET /users/:id/custom_attributes',
        get: 'GET /users/:id/custom_attributes/:key',
        set: 'PUT /users/:id/custom_attributes/:key',
        delete: 'DELETE /users/:id/custom_attributes/:key',
      },
      of: 'a user',
      ownerOf: deps.userOf,
    }),
    ...operationsFor(deps.database, {
      routes: {
        list: 'GET /projects/:id/custom_attributes',
        get: 'GET /projects/:id/custom_attributes/:key',
        set: 'PUT /projects/:id/custom_attributes/:key',
        delete: 'DELETE /projects/:id/custom_attributes/:key',
      },
      of: 'a project',
      ownerOf: deps.projectOf,
    }),
    ...operationsFor(deps.database, {
      routes: {
        list: 'GET /groups/:id/custom_attributes',
        get: 'GET /groups/:id/custom_attributes/:key',
        set: 'PUT /groups/:id/custom_attributes/:key',
        delete: 'DELETE /groups/:id/custom_attributes/:key',
      },
      of: 'a group',
      ownerOf: deps.groupOf,
    }),
  ]
}

interface Owned {
  routes: Record<'list' | 'get' | 'set' | 'delete', Route>
  /** Noun phrase for summaries: `a project`. */
  of: string
  ownerOf: (idOrPath: string) => Promise<AttributeOwner>
}

function operationsFor(database: Database, { routes, of, ownerOf }: Owned): Operation[] {
  return [
    operation(routes.list, {
      summary: `List custom attributes of ${of}`,
      access: 'administrator',
      params: OfOne,
      responses: { 200: Type.Array(Attribute) },
      run: async ({ params }) => listAttributes(database, await ownerOf(params.id)),
    }),
    operation(routes.get, {
      summary: `Get a custom attribute of ${of}`,
      access: 'administrator',
      params: ByKey,
      responses: { 200: Attribute },
      run: async ({ params }) => findAttribute(database, await ownerOf(params.id), params.key),
    }),
    operation(routes.set, {
      summary: `Set a custom attribute of ${of}`,
      access: 'administrator',
      params: SetAttribute,
      responses: { 200: Attribute },
      run: async ({ params }) => setAttribute(database, await ownerOf(params.id), attributeIn(params)),
    }),
    operation(routes.delete, {
      summary: `Delete a custom attribute of ${of}`,
      access: 'administrator',
      params: ByKey,
      responses: { 204: NoBody },
      run: async ({ params }) => {
        await deleteAttribute(database, await ownerOf(params.id), params.key)
        return respond(204)
      },
    }),
  ]
}

function attributeIn({ key, value }: Static<typeof SetAttribute>): Static<typeof Attribute> {
  return { key, value }
}
