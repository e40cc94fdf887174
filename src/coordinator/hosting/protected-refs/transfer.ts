import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { inPages } from '../../database/in-pages.js'
import { type TransferPart, transferPart } from '../../http/archive-part.js'
import { findProtectedRef, type RefKind } from '../protected-ref-store.js'
import { changeProtectedBranch, protectBranch, protectTag } from './protected-refs.js'
import { ProtectBranch, ProtectTag } from './schema.js'

const branch = ProtectBranch.properties
const Branch = Type.Object({
  name: branch.name,
  push_access_level: branch.push_access_level,
  merge_access_level: branch.merge_access_level,
  allow_force_push: branch.allow_force_push,
  code_owner_approval_required: branch.code_owner_approval_required,
})
const Tag = Type.Object({
  name: ProtectTag.properties.name,
  create_access_level: ProtectTag.properties.create_access_level,
})

/**
 * Import and export of branch rules. Only roles are transferred, since users and groups differ between
 * installations.
 */
export function protectedBranchPart(database: Database): TransferPart {
  return transferPart({
    name: 'protected_branches',
    schema: Branch,
    read: async function* ({ id }) {
      for await (const rule of rulesOf(database, id, 'branch')) {
        const { name, push_access_level, merge_access_level, allow_force_push } = rule
        const { code_owner_approval_required } = rule
        yield { name, push_access_level, merge_access_level, allow_force_push, code_owner_approval_required }
      }
    },
    identityOf: ({ name }) => name,
    write: async ({ project }, rule) => {
      const isThere = await findProtectedRef(database, project.id, 'branch', rule.name)
      await (isThere ? changeProtectedBranch : protectBranch)(database, project, rule)
    },
  })
}

/** Import and export of tag rules. Only roles are transferred. */
export function protectedTagPart(database: Database): TransferPart {
  return transferPart({
    name: 'protected_tags',
    schema: Tag,
    read: async function* ({ id }) {
      for await (const { name, push_access_level } of rulesOf(database, id, 'tag')) {
        yield { name, create_access_level: push_access_level }
      }
    },
    identityOf: ({ name }) => name,
    write: ({ project }, rule) => protectTag(database, project, rule),
  })
}

function rulesOf(database: Database, projectId: number, kind: RefKind) {
  return inPages(
    database
      .selectFrom('protected_ref')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('kind', '=', kind),
    'protected_ref',
  )
}
