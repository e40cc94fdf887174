import type { Database } from '../../database/connect.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { conflict, invalidRecord, notFound } from '../../http/errors.js'
import type { Project } from '../../http/operation.js'
import type { SecretBox } from '../../secret-box.js'
import { checkVariable } from './check-variable.js'
import type { CreateVariable, EditVariable, OneVariable } from './schema.js'
import { deleteVariable, findVariables, insertVariable, updateVariable, type VariableRow } from './store.js'

export interface VariableDeps {
  database: Database
  /** Values are only ever stored encrypted (design, decision 10). */
  secrets: SecretBox
}

export async function createVariable(
  { database, secrets }: VariableDeps,
  project: Project,
  params: CreateVariable,
): Promise<VariableRow> {
  checkVariable(params)
  const { value, variable_type = 'env_var', ...others } = params
  const now = Date.now()
  return refusingTakenKey(params.key, () =>
    insertVariable(database, {
      ...others,
      project_id: project.id,
      variable_type,
      value_encrypted: secrets.encrypt(value),
      created_at: now,
      updated_at: now,
    }),
  )
}

export async function editVariable(
  { database, secrets }: VariableDeps,
  project: Project,
  params: EditVariable,
): Promise<VariableRow> {
  const row = await theVariable(database, project, params)
  const { key, filter: _filter, value = secrets.decrypt(row.value_encrypted), ...others } = params
  checkVariable({ masked: row.masked, raw: row.raw, ...others, key, value })
  const changes = { ...others, value_encrypted: secrets.encrypt(value), updated_at: Date.now() }
  const changed = await refusingTakenKey(key, () => updateVariable(database, row.id, changes))
  if (!changed) throw notFound('Variable')
  return changed
}

export async function removeVariable(
  { database }: VariableDeps,
  project: Project,
  which: OneVariable,
): Promise<void> {
  const row = await theVariable(database, project, which)
  await deleteVariable(database, row.id)
}

/** Throws 404 for none, and 409 while the key alone does not say which one is meant (API gaps, I1). */
export async function theVariable(
  database: Database,
  project: Project,
  { key, filter }: OneVariable,
): Promise<VariableRow> {
  const [row, ...more] = await findVariables(database, project.id, key, filter?.environment_scope)
  if (!row) throw notFound('Variable')
  if (more.length > 0) {
    throw conflict(
      "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'",
    )
  }
  return row
}

async function refusingTakenKey<T>(key: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw invalidRecord({ key: [`(${key}) has already been taken`] })
    throw error
  }
}
