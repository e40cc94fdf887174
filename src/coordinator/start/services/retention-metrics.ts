import { Counter, Gauge, type Registry } from 'prom-client'

import type { Logger } from '../../../lib/logger.js'
import type { OnRetired, RetiredKind } from '../../ci/pipelines/retention/retired.js'
import type { Database } from '../../database/connect.js'
import { findSetting, setSetting } from '../../database/stores/instance-setting-store.js'
import type { RetentionSettings } from '../config/settings.js'
import { type Due, findDue } from './list-due.js'

/** Name in `instance_setting`. */
const DUE = 'retention_due'

type Totals = Record<RetiredKind, { number: number; bytes: number }>

/** Counts what this coordinator has deleted because of its age, number or size. */
export function retentionMetrics(registry: Registry): OnRetired {
  const removed = new Counter({
    name: 'switchyard_retention_removed_total',
    help: 'What was deleted by the limits of retention, by kind',
    labelNames: ['kind'],
    registers: [registry],
  })
  const removedBytes = new Counter({
    name: 'switchyard_retention_removed_bytes_total',
    help: 'Bytes of the files that were deleted by the limits of retention, by kind',
    labelNames: ['kind'],
    registers: [registry],
  })
  return ({ kind, number, bytes = 0 }) => {
    removed.inc({ kind }, number)
    removedBytes.inc({ kind }, bytes)
  }
}

/** Periodic task: measures what the limits of retention would delete now, for the metrics of all coordinators. */
export async function measureDue(
  database: Database,
  retention: RetentionSettings,
  signal: AbortSignal,
): Promise<void> {
  await setSetting(database, DUE, JSON.stringify(totalsOf(await findDue(database, retention, signal))))
}

/** Shows what `measureDue` has measured last; nothing before its first run. */
export function registerDueMetrics(registry: Registry, database: Database, logger: Logger): void {
  // The registry reads all metrics at once, so each gauge waits for the same reading.
  let reading: Promise<void> | undefined
  const gauge = (name: string, help: string) =>
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [registry],
      collect: () => (reading ??= read()),
    })
  const due = gauge(
    'switchyard_retention_due',
    'What the limits of retention would delete, by kind, measured once an hour, of all coordinators',
  )
  const dueBytes = gauge(
    'switchyard_retention_due_bytes',
    'Bytes of the files that the limits of retention would delete, by kind',
  )

  async function read(): Promise<void> {
    try {
      const stored = await findSetting(database, DUE)
      const totals = Object.entries(stored === undefined ? {} : (JSON.parse(stored) as Totals))
      for (const [kind, { number, bytes }] of totals) {
        due.set({ kind }, number)
        dueBytes.set({ kind }, bytes)
      }
    } catch (error) {
      // The other metrics are needed most when the store fails.
      logger.warn({ err: error }, 'Failed to read what is due for deletion')
      due.reset()
      dueBytes.reset()
    } finally {
      reading = undefined
    }
  }
}

function totalsOf({ projects, activityEvents }: Due): Totals {
  const totals: Totals = {
    pipelines: { number: 0, bytes: 0 },
    jobs: { number: 0, bytes: 0 },
    logs: { number: 0, bytes: 0 },
    artifacts: { number: 0, bytes: 0 },
    activity_events: { number: activityEvents, bytes: 0 },
  }
  for (const due of projects) {
    totals.pipelines.number += due.pipelines
    totals.jobs.number += due.jobs
    totals.jobs.bytes += due.logBytes
    totals.logs.number += due.oldLogs + due.excessLogs
    totals.logs.bytes += due.oldLogBytes + due.excessLogBytes
    totals.artifacts.number += due.artifacts + due.excessArtifacts
    totals.artifacts.bytes += due.artifactBytes + due.excessArtifactBytes
  }
  return totals
}
