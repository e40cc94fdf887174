import type { Insertable, Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { DeployTokenTable } from '../../database/tables/deploy-tokens.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'

export type DeployTokenRow = Selectable<DeployTokenTable>

/** Owner of the tokens; `everybody` selects the tokens of all projects and groups. */
export type DeployTokenOwner = { project_id: number } | { namespace_id: number } | 'everybody'

/**
 * Lists tokens, oldest first. `active` true selects usable tokens, false the revoked and expired ones;
 * undefined selects all.
 */
export async function listDeployTokens(
  database: Database,
  owner: DeployTokenOwner,
  active: boolean | undefined,
  paging: Paging,
): Promise<Rows<DeployTokenRow>> {
  let tokens = within(database, owner)
  if (active !== undefined) {
    tokens = tokens.where(({ and, or, not, eb }) => {
      const usable = and([
        eb('revoked', '=', false),
        or([eb('expires_at', 'is', null), eb('expires_at', '>', Date.now())]),
      ])
      return active ? usable : not(usable)
    })
  }
  return listRows(database, tokens, paging, { table: 'deploy_token', column: 'id', direction: 'asc' })
}

export function findDeployToken(
  database: Database,
  owner: DeployTokenOwner,
  id: number,
): Promise<DeployTokenRow | undefined> {
  return within(database, owner).selectAll().where('id', '=', id).executeTakeFirst()
}

export function insertDeployToken(
  database: Database,
  values: Insertable<DeployTokenTable>,
): Promise<DeployTokenRow> {
  return database.insertInto('deploy_token').values(values).returningAll().executeTakeFirstOrThrow()
}

export function renameDeployToken(database: Database, id: number, username: string): Promise<DeployTokenRow> {
  return database
    .updateTable('deploy_token')
    .set({ username })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Revokes a token; false if it is already revoked. */
export async function revokeDeployToken(database: Database, id: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('deploy_token')
    .set({ revoked: true })
    .where('id', '=', id)
    .where('revoked', '=', false)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function within(database: Database, owner: DeployTokenOwner) {
  const tokens = database.selectFrom('deploy_token')
  if (owner === 'everybody') return tokens
  return 'project_id' in owner
    ? tokens.where('project_id', '=', owner.project_id)
    : tokens.where('namespace_id', '=', owner.namespace_id)
}
