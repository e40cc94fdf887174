import { isUniqueViolation } from '../../database/unique-violation.js'
import { invalidRecord, notFound } from '../../http/errors.js'
import type { ScheduleDeps } from './schedules.js'
import type { EditScheduleVariable, NewVariable } from './schema.js'
import {
  deleteScheduleVariableRow,
  findScheduleVariable,
  insertScheduleVariable,
  type ScheduleRow,
  type ScheduleVariableRow,
  updateScheduleVariable,
} from './store.js'

const KEY = /^[a-zA-Z0-9_]{1,255}$/

/** Throws 404. */
export async function requireScheduleVariable(
  { engine }: ScheduleDeps,
  schedule: ScheduleRow,
  key: string,
): Promise<ScheduleVariableRow> {
  return existing(await findScheduleVariable(engine.database, schedule.id, key))
}

export async function createScheduleVariable(
  { engine }: ScheduleDeps,
  schedule: ScheduleRow,
  { key, value, variable_type = 'env_var' }: NewVariable,
): Promise<ScheduleVariableRow> {
  if (!KEY.test(key)) throw invalidRecord({ key: ["can contain only letters, digits and '_'."] })
  try {
    return await insertScheduleVariable(engine.database, {
      key,
      variable_type,
      schedule_id: schedule.id,
      value_encrypted: engine.secrets.encrypt(value),
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw invalidRecord({ key: ['has already been taken'] })
    throw error
  }
}

export async function editScheduleVariable(
  { engine }: ScheduleDeps,
  schedule: ScheduleRow,
  { key, value, variable_type }: EditScheduleVariable,
): Promise<ScheduleVariableRow> {
  const changes = {
    key,
    ...(value !== undefined && { value_encrypted: engine.secrets.encrypt(value) }),
    ...(variable_type && { variable_type }),
  }
  return existing(await updateScheduleVariable(engine.database, schedule.id, key, changes))
}

export async function deleteScheduleVariable(
  { engine }: ScheduleDeps,
  schedule: ScheduleRow,
  key: string,
): Promise<ScheduleVariableRow> {
  return existing(await deleteScheduleVariableRow(engine.database, schedule.id, key))
}

function existing(row: ScheduleVariableRow | undefined): ScheduleVariableRow {
  if (!row) throw notFound('Variable')
  return row
}
