import { parseDuration } from '../../../ci-config/duration.js'
import type { Database } from '../../database/connect.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'

interface Dated {
  /** Milliseconds since the epoch. */
  created_at: number
}

/**
 * Tells jobs and pipelines that are archived: older than the instance allows for jobs that are retried or started by
 * hand.
 */
export async function archivedTest(database: Database): Promise<(one: Dated) => boolean> {
  const setting = 'archive_builds_in_human_readable'
  const { [setting]: age } = await effectiveSettings(database, setting)
  const seconds = age === null ? undefined : parseDuration(age)
  if (seconds === undefined) return () => false
  const before = Date.now() - seconds * 1000
  return ({ created_at }) => created_at < before
}
