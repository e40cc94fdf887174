import { addressOf } from '../../../addresses/address-of.js'
import type { Report, ReportCount } from '../../../coordinator/bulk-imports/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead } from '../../api/use-read.js'
import { Read } from '../../frame/problem.js'
import { Alert } from '../../kit/alert.js'
import { Badge } from '../../kit/badge.js'
import { Button, LinkButton } from '../../kit/button.js'
import { Panel, Panels } from '../../kit/panel.js'
import { type Column, Table } from '../../kit/table.js'
import styles from './import-report.module.css'

const INTERVAL = 2000
const RUNNING = new Set(['created', 'started'])

type Entity = Report['entities'][number]
type Item = Report['items'][number]

const TONES = {
  created: 'neutral',
  started: 'accent',
  finished: 'success',
  failed: 'failed',
  canceled: 'warning',
} as const

/** What an import has done so far, and in the end what it has left out and why. */
export function ImportReport({ id }: { id: number }) {
  const path = `/bulk_imports/${id}/report`
  const report = useRead<Report>(path)
  const isRunning = RUNNING.has(report.data?.status ?? '')
  useRead(path, isRunning ? { refetchInterval: INTERVAL } : {})
  return (
    <Read of={report}>
      {(read) => (
        <Panels>
          <Summary report={read} isRunning={isRunning} />
          <Groups report={read} />
          <LeftOut report={read} />
          {!isRunning && (
            <Panel title="Never imported">
              <ul class={styles['list']}>
                {read.never_imported.map((what) => (
                  <li key={what}>{what}</li>
                ))}
              </ul>
            </Panel>
          )}
        </Panels>
      )}
    </Read>
  )
}

function Summary({ report, isRunning }: { report: Report; isRunning: boolean }) {
  const { id, dry_run, source_url, status, error, totals } = report
  const cancel = useAction(async () => {
    await requestJson(`/bulk_imports/${id}/cancel`, { method: 'POST' })
    await refresh(`/bulk_imports/${id}/report`)
  })
  return (
    <Panel
      isFlush
      title={
        <span aria-live="polite">
          {dry_run ? 'Dry run' : 'Import'} from {source_url} <Badge tone={TONES[status]}>{status}</Badge>
        </span>
      }
      actions={
        isRunning ? (
          <Button isBusy={cancel.isBusy} onClick={() => void cancel.run()}>
            Cancel
          </Button>
        ) : (
          <LinkButton href={`/api/v4/bulk_imports/${id}/report?format=text`} target="_blank">
            Report as text
          </LinkButton>
        )
      }
    >
      {error !== null && <Alert tone="error" title={error} />}
      {cancel.error && <Alert tone="error" title={cancel.error.message} />}
      <Table
        label="Numbers by kind"
        rows={totals}
        keyOf={({ kind }) => kind}
        columns={[{ title: 'Kind', isMain: true, cell: ({ kind }) => words(kind) }, ...numbers(dry_run)]}
      />
    </Panel>
  )
}

function numbers(isDryRun: boolean): Column<ReportCount>[] {
  return [
    { title: isDryRun ? 'Would be imported' : 'Imported', isNumber: true, cell: ({ imported }) => imported },
    { title: 'Already there', isNumber: true, cell: ({ present }) => present },
    { title: 'Left out', isNumber: true, cell: ({ left_out }) => left_out },
    { title: 'Failed', isNumber: true, cell: ({ failed }) => failed },
  ]
}

function Groups({ report: { entities, dry_run } }: { report: Report }) {
  return (
    <Panel isFlush title="Groups and projects">
      <Table
        label="Groups and projects"
        rows={entities}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Copy',
            isMain: true,
            cell: (entity) => <Copy entity={entity} isThere={!dry_run && entity.status !== 'created'} />,
          },
          { title: 'Source', cell: ({ source_full_path: path }) => path },
          {
            title: 'Status',
            isShort: true,
            cell: ({ status, step }) => (
              <>
                <Badge tone={TONES[status]}>{status}</Badge> {status === 'started' && step && words(step)}
              </>
            ),
          },
          ...(entities.some(({ error }) => error !== null)
            ? [{ title: 'Problem', cell: ({ error }: Entity) => error }]
            : []),
        ]}
      />
    </Panel>
  )
}

function Copy({ entity, isThere }: { entity: Entity; isThere: boolean }) {
  const { destination_full_path: path, status } = entity
  return isThere && status !== 'failed' ? <a href={addressOf('overview', { path })}>{path}</a> : <>{path}</>
}

function LeftOut({ report }: { report: Report }) {
  const { items, entities, has_more_items } = report
  if (items.length === 0) return null
  const paths = new Map(entities.map(({ id, destination_full_path: path }) => [id, path]))
  return (
    <Panel isFlush title="Left out or failed">
      <Table
        label="Left out or failed"
        rows={items.map((item, index) => ({ ...item, index }))}
        keyOf={({ index }) => index}
        columns={columns(paths)}
      />
      {has_more_items && <p class={styles['more']}>Only the first {items.length} are shown.</p>}
    </Panel>
  )
}

function columns(paths: ReadonlyMap<number, string>): Column<Item>[] {
  return [
    { title: 'What', isMain: true, cell: ({ kind, name }) => `${words(kind)}: ${name ?? 'the whole list'}` },
    { title: 'In', cell: ({ entity_id }) => paths.get(entity_id) },
    {
      title: 'Outcome',
      isShort: true,
      cell: ({ outcome }) => (
        <Badge tone={outcome === 'failed' ? 'failed' : 'neutral'}>
          {outcome === 'failed' ? 'failed' : 'left out'}
        </Badge>
      ),
    },
    { title: 'Reason', cell: ({ reason }) => reason },
  ]
}

/** `Merge requests` for `merge_requests`. */
function words(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ')
}
