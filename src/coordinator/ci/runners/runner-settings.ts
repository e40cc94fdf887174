import type { Insertable } from 'kysely'

import type { RunnerTable } from '../../database/tables/runners.js'
import { invalidRecord } from '../../http/errors.js'
import type { RunnerSettings } from './schema.js'

const MAX_TAGS = 50
const LEAST_TIMEOUT = 600

/** Columns that settings decide. */
export type SettingColumns = Pick<
  Insertable<RunnerTable>,
  | 'description'
  | 'active'
  | 'tag_list'
  | 'run_untagged'
  | 'locked'
  | 'access_level'
  | 'maximum_timeout'
  | 'maintenance_note'
  | 'weight'
>

/** The settings after a change; absent values keep those of `was`. */
export interface CheckedSettings extends Omit<SettingColumns, 'tag_list'> {
  tag_list: string[]
}

export const NEW_RUNNER: CheckedSettings = {
  description: null,
  active: true,
  tag_list: [],
  run_untagged: true,
  locked: false,
  access_level: 'not_protected',
  maximum_timeout: null,
  maintenance_note: null,
  weight: 0,
}

/** Merges and checks; throws 400 that names every problem (runner protocol, 1.4). */
export function applySettings(was: CheckedSettings, settings: RunnerSettings): CheckedSettings {
  const becomes: CheckedSettings = {
    description: settings.description ?? was.description,
    active: settings.active ?? (settings.paused === undefined ? was.active : !settings.paused),
    tag_list: settings.tag_list ? cleanTags(settings.tag_list) : was.tag_list,
    run_untagged: settings.run_untagged ?? was.run_untagged,
    locked: settings.locked ?? was.locked,
    access_level: settings.access_level ?? was.access_level,
    maximum_timeout: settings.maximum_timeout === undefined ? was.maximum_timeout : settings.maximum_timeout,
    maintenance_note: settings.maintenance_note ?? settings.maintainer_note ?? was.maintenance_note,
    weight: settings.weight ?? was.weight,
  }
  const problems = problemsOf(becomes)
  if (Object.keys(problems).length > 0) throw invalidRecord(problems)
  return becomes
}

/** The settings as table columns. */
export function settingColumns(settings: CheckedSettings): SettingColumns {
  const { description, active, run_untagged, locked, access_level } = settings
  const { maximum_timeout, maintenance_note, weight } = settings
  return {
    description,
    active,
    run_untagged,
    locked,
    access_level,
    maximum_timeout,
    maintenance_note,
    weight,
    tag_list: JSON.stringify(settings.tag_list),
  }
}

function cleanTags(tags: string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
}

function problemsOf({ tag_list, run_untagged, maximum_timeout }: CheckedSettings): Record<string, string[]> {
  const tagProblems = [
    ...(tag_list.length === 0 && !run_untagged
      ? ['can not be empty when runner is not allowed to pick untagged jobs']
      : []),
    ...(tag_list.length > MAX_TAGS
      ? [`Too many tags specified. Please limit the number of tags to ${MAX_TAGS}`]
      : []),
  ]
  const isTooShort = typeof maximum_timeout === 'number' && maximum_timeout < LEAST_TIMEOUT
  return {
    ...(tagProblems.length > 0 && { tags_list: tagProblems }),
    ...(isTooShort && { maximum_timeout: ['needs to be at least 10 minutes'] }),
  }
}
