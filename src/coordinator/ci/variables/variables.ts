import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { checkRoom } from '../../http/check-room.js'
import { apiError, invalidRecord, notFound } from '../../http/errors.js'
import { checkVariable } from './check-variable.js'
import { maxVariables } from './max-variables.js'
import { ownerColumns, type VariableOwner } from './owner.js'
import type { CreateVariable, EditVariable, OneVariable } from './schema.js'
import {
  deleteVariableRow,
  findVariables,
  insertVariable,
  updateVariable,
  type VariableRow,
  variablesOf,
} from './store.js'

export interface VariableDeps {
  database: Database
  /** Values are only ever stored encrypted (architecture, decision 10). */
  secrets: SecretBox
}

export async function createVariable(
  { database, secrets }: VariableDeps,
  owner: VariableOwner,
  params: CreateVariable,
): Promise<VariableRow> {
  const { value, masked_and_hidden: hidden = false, variable_type = 'env_var', ...given } = params
  const others = { ...given, ...(hidden && { masked: true }) }
  checkVariable({ ...others, value })
  const most = await maxVariables(database, owner.kind)
  await checkRoom(variablesOf(database, owner), { most, what: `CI variables of one ${owner.kind}` })
  const now = Date.now()
  const { protected_ci_variables } = await effectiveSettings(database, 'protected_ci_variables')
  return refusingTakenKey(params.key, () =>
    insertVariable(database, {
      ...inScopeOf(owner, { ...others, protected: params.protected ?? protected_ci_variables }),
      ...ownerColumns(owner),
      hidden,
      variable_type,
      value_encrypted: secrets.encrypt(value),
      created_at: now,
      updated_at: now,
    }),
  )
}

export async function editVariable(
  { database, secrets }: VariableDeps,
  owner: VariableOwner,
  params: EditVariable,
): Promise<VariableRow> {
  const row = await requireVariable(database, owner, params)
  const { key, filter: _filter, value = secrets.decrypt(row.value_encrypted), ...others } = params
  if (row.hidden && others.masked === false) {
    throw invalidRecord({ masked: ['cannot be disabled for a hidden variable: delete the variable instead'] })
  }
  checkVariable({ masked: row.masked, raw: row.raw, ...others, key, value })
  const changes = {
    ...inScopeOf(owner, others),
    value_encrypted: secrets.encrypt(value),
    updated_at: Date.now(),
  }
  const changed = await refusingTakenKey(key, () => updateVariable(database, row.id, changes))
  if (!changed) throw notFound('Variable')
  return changed
}

export async function deleteVariable(
  { database }: VariableDeps,
  owner: VariableOwner,
  which: OneVariable,
): Promise<void> {
  const row = await requireVariable(database, owner, which)
  await deleteVariableRow(database, row.id)
}

/** Throws 404 if there is none, and 409 if the key alone is ambiguous (API, I1). */
export async function requireVariable(
  database: Database,
  owner: VariableOwner,
  { key, filter }: OneVariable,
): Promise<VariableRow> {
  const scope = owner.kind === 'instance' ? undefined : filter?.environment_scope
  const [row, ...more] = await findVariables(database, owner, key, scope)
  if (!row) throw notFound('Variable')
  if (more.length > 0) {
    throw apiError('variable_ambiguous')
  }
  return row
}

/** Variables of the instance are for every environment. */
function inScopeOf<T extends { environment_scope?: string | undefined }>(owner: VariableOwner, values: T): T {
  return owner.kind === 'instance' ? { ...values, environment_scope: '*' } : values
}

async function refusingTakenKey<T>(key: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw invalidRecord({ key: [`(${key}) has already been taken`] })
    throw error
  }
}
