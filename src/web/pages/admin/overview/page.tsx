import type { ComponentChildren } from 'preact'

import { addressOf } from '../../../../addresses/address-of.js'
import type { AdminOverview } from '../../../../coordinator/instance/overview/schema.js'
import { useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { Read } from '../../../frame/problem.js'
import { Alert } from '../../../kit/alert.js'
import { Badge } from '../../../kit/badge.js'
import { formatBytes, formatCount } from '../../../kit/bytes.js'
import { classNames } from '../../../kit/class-names.js'
import { PageHeader, Panel, Panels } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import styles from './page.module.css'
import { Storage } from './storage.js'
import { Tasks } from './tasks.js'

const DATABASES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** The state of the whole installation. */
export function Page() {
  useTitle('Administration')
  const overview = useRead<AdminOverview>('/admin/overview', { refetchInterval: 10_000 })
  const data = overview.data
  return (
    <>
      <PageHeader
        title="Administration"
        details={
          data && (
            <>
              <span>Switchyard {data.version}</span>
              <span>
                {DATABASES[data.database.kind]} {data.database.version}, {formatBytes(data.database.size)}
              </span>
              {data.up_since !== null && (
                <span>
                  started <Time value={data.up_since} />
                </span>
              )}
              <span>{data.external_url}</span>
              <a href={addressOf('admin/set-up', {})}>Set-up</a>
            </>
          )
        }
      />
      <Read of={overview} loading={<div class={styles['space']} />}>
        {(state) => (
          <Panels>
            {!state.set_up_finished && <OpenSetUp />}
            <Warnings warnings={state.warnings} />
            <Numbers overview={state} />
            <div class={styles['pair']}>
              <Storage storage={state.storage} disk={state.disk} />
              <Deliveries webhooks={state.webhooks} mails={state.mails} />
            </div>
            <Coordinators rows={state.coordinators} />
            <Tasks tasks={state.tasks} />
          </Panels>
        )}
      </Read>
    </>
  )
}

function OpenSetUp() {
  return (
    <Alert title="This instance is new.">
      <a href={addressOf('admin/set-up', {})}>Set it up</a>, step by step.
    </Alert>
  )
}

const SERIOUS = new Set(['external_url_missing', 'disk_nearly_full', 'task_failed'])

function Warnings({ warnings }: Pick<AdminOverview, 'warnings'>) {
  if (warnings.length === 0) return null
  return (
    <div class={styles['warnings']}>
      {warnings.map(({ code, message }) => (
        <Alert key={code + message} tone={SERIOUS.has(code) ? 'error' : 'warning'}>
          {message}
        </Alert>
      ))}
    </div>
  )
}

function Numbers({ overview: { jobs, runners, live, counts } }: { overview: AdminOverview }) {
  const jobsWith = (scope: string) => addressOf('admin/jobs', {}, { scope })
  return (
    <ul class={styles['tiles']}>
      <Tile label="jobs waiting" value={jobs.waiting} href={jobsWith('pending')}>
        {jobs.oldest_at === null ? (
          'the queue is empty'
        ) : (
          <>
            oldest <Time value={jobs.oldest_at} />
          </>
        )}
      </Tile>
      <Tile label="jobs running" value={jobs.running} href={jobsWith('running')} />
      <Tile label="runners online" value={runners.online} href={addressOf('admin/runners', {})}>
        {formatCount(runners.busy)} busy, {formatCount(runners.paused)} paused, {formatCount(runners.total)}{' '}
        in all
      </Tile>
      <Tile label="open pages" value={live.streams}>
        {formatCount(live.sessions)} {live.sessions === 1 ? 'session' : 'sessions'}
      </Tile>
      {counts.pending_users === 0 ? (
        <Tile label="users" value={counts.users} href={addressOf('admin/users', {})} />
      ) : (
        <Tile label="users" value={counts.users} href={addressOf('admin/users', {}, { filter: 'pending' })}>
          {formatCount(counts.pending_users)} waiting for approval
        </Tile>
      )}
      <Tile label="groups" value={counts.groups} href={addressOf('admin/groups', {})} />
      <Tile label="projects" value={counts.projects} href={addressOf('admin/projects', {})} />
    </ul>
  )
}

interface TileProps {
  label: string
  value: number
  href?: string
  children?: ComponentChildren
}

function Tile({ label, value, href, children }: TileProps) {
  const content = (
    <>
      <strong>{formatCount(value)}</strong>
      <span>{label}</span>
      {children !== undefined && <small>{children}</small>}
    </>
  )
  return (
    <li>
      {href === undefined ? (
        <div class={styles['tile']}>{content}</div>
      ) : (
        <a class={styles['tile']} href={href}>
          {content}
        </a>
      )}
    </li>
  )
}

function hookAddress({ id, kind, path }: AdminOverview['webhooks']['failing'][number]): string {
  const of = { id: String(id) }
  if (path === null || kind === 'system') return addressOf('admin/hook', of)
  if (kind === 'group') return addressOf('groups/hook', { ...of, group: path })
  if (kind === 'integration') return addressOf('settings/integrations', { project: path })
  return addressOf('settings/hook', { ...of, project: path })
}

function Deliveries({ webhooks, mails }: Pick<AdminOverview, 'webhooks' | 'mails'>) {
  return (
    <Panel title="Deliveries">
      <dl class={styles['facts']}>
        <Fact label="Webhooks that wait" value={webhooks.pending} />
        <Fact label="of them after a failure" value={webhooks.retrying} isBad />
        <Fact label="Webhooks that rest after failures" value={webhooks.resting} isBad />
        <Fact label="Disabled webhooks" value={webhooks.disabled} isBad />
        {mails.enabled ? (
          <>
            <Fact label="Mails that wait" value={mails.pending} />
            <Fact label="of them after a failure" value={mails.retrying} isBad />
          </>
        ) : (
          <div>
            <dt>Mails</dt>
            <dd>not sent</dd>
          </div>
        )}
      </dl>
      {webhooks.failing.length > 0 && (
        <ul class={styles['hooks']} aria-label="Webhooks that failed">
          {webhooks.failing.map((hook) => (
            <li key={hook.id}>
              <a href={hookAddress(hook)}>{hook.name ?? `Webhook ${hook.id}`}</a>{' '}
              <span>{hook.path ?? 'of the instance'}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Fact({ label, value, isBad = false }: { label: string; value: number; isBad?: boolean }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd class={classNames(styles['number'], isBad && value > 0 && styles['bad'])}>{formatCount(value)}</dd>
    </div>
  )
}

type Coordinator = AdminOverview['coordinators'][number]

function Coordinators({ rows }: { rows: Coordinator[] }) {
  return (
    <Panel isFlush title={rows.length === 1 ? 'Coordinator' : `Coordinators (${rows.length})`}>
      <Table<Coordinator>
        label="Coordinators"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'State',
            isMain: true,
            cell: ({ alive }) => (
              <Badge tone={alive ? 'success' : 'failed'}>{alive ? 'running' : 'gone'}</Badge>
            ),
          },
          {
            title: 'Machine',
            isMain: true,
            cell: ({ host, pid, current }) => (
              <>
                <strong>{host}</strong> <span class={styles['quiet']}>process {pid}</span>{' '}
                {current && <span class={styles['quiet']}>(serves this page)</span>}
              </>
            ),
          },
          { title: 'Version', cell: ({ version }) => version },
          { title: 'Streams', isDetail: true, isNumber: true, cell: ({ streams }) => formatCount(streams) },
          {
            title: 'Memory',
            isDetail: true,
            isNumber: true,
            cell: ({ memory_bytes: bytes }) => formatBytes(bytes),
          },
          { title: 'Started', isDetail: true, cell: ({ started_at: at }) => <Time value={at} /> },
          { title: 'Seen', cell: ({ seen_at: at }) => <Time value={at} /> },
        ]}
      />
    </Panel>
  )
}
