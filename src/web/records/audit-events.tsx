import { ScrollText } from 'lucide'
import type { ComponentChildren } from 'preact'

import { queryOf } from '../../addresses/address-of.js'
import type { AuditEvent } from '../../coordinator/accounts/audit-events/schema.js'
import { MINUTE } from '../../lib/time-units.js'
import { boot } from '../api/boot.js'
import { useRead, useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { useSearch } from '../frame/location.js'
import { ReadRows } from '../frame/problem.js'
import { Empty } from '../kit/empty.js'
import { Input } from '../kit/field.js'
import { Panel } from '../kit/panel.js'
import { Table } from '../kit/table.js'
import { Time } from '../kit/time.js'
import styles from './audit-events.module.css'
import { entityHref, targetHref } from './audit-links.js'
import { auditWords } from './audit-words.js'

interface AuditEventsProps {
  /** Path in the API: `/projects/5/audit_events`, `/groups/7/audit_events` or `/audit_events`. */
  path: string
  /** Further filters of the query, with their fields. */
  filters?: Readonly<Record<string, string | undefined>>
  fields?: ComponentChildren
  /** Buttons beside the title. */
  actions?: ComponentChildren
}

/** Audit events, the newest first, between two days that are in the address. */
export function AuditEvents({ path, filters = {}, fields, actions }: AuditEventsProps) {
  const [search, setSearch] = useSearch()
  const after = search.get('after') ?? ''
  const before = search.get('before') ?? ''
  const query = { ...filters, ...auditPeriod(search) }
  const { rows, result, next } = useReadList<AuditEvent>(
    `${path}${queryOf({ ...query, pagination: 'keyset', per_page: 50 })}`,
    { keepsPrevious: true },
  )
  const isOfAll = path === '/audit_events'
  const isFiltered = Object.values(query).some((value) => value !== undefined)
  return (
    <Panel isFlush title="Audit events" actions={actions}>
      <div class={styles['filters']}>
        {fields}
        <Input
          label="From"
          type="date"
          value={after}
          onInput={(value) => setSearch({ after: value || undefined })}
        />
        <Input
          label="To"
          type="date"
          value={before}
          onInput={(value) => setSearch({ before: value || undefined })}
        />
      </div>
      <ReadRows
        of={{ rows, result }}
        outline={6}
        empty={
          <Empty icon={ScrollText} title={isFiltered ? 'No event matches.' : 'There is no event yet.'}>
            Each change leaves an event: who changed what, when, and from which address.
          </Empty>
        }
      >
        <Table<AuditEvent>
          label="Audit events"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { title: 'What', isMain: true, cell: (event) => <What event={event} /> },
            {
              title: 'Target',
              isDetail: true,
              cell: (event) => <Target event={event} showsEntity={isOfAll} />,
            },
            { title: 'Who', cell: (event) => <Who event={event} /> },
            { title: 'When', cell: ({ created_at: at }) => <Time value={at} /> },
          ]}
        />
      </ReadRows>
      <LoadMore of="events" next={next} />
    </Panel>
  )
}

function What({ event }: { event: AuditEvent }) {
  const { action, asRole, attribute, change } = auditWords(event)
  return (
    <div>
      <strong>{action}</strong>
      {asRole !== undefined && <span class={styles['quiet']}> as {asRole}</span>}
      {change && (
        <div class={styles['quiet']}>
          {attribute}: <del>{change.from}</del> → <ins>{change.to}</ins>
        </div>
      )}
    </div>
  )
}

function Target({ event, showsEntity }: { event: AuditEvent; showsEntity: boolean }) {
  const { target, targetType, entity } = auditWords(event)
  const href = targetHref(event)
  const address = entityHref(event)
  return (
    <div>
      <span class={styles['target']}>{href === undefined ? target : <a href={href}>{target}</a>}</span>
      <div class={styles['quiet']}>
        {targetType}
        {showsEntity && entity !== undefined && entity !== target && (
          <> in {address === undefined ? entity : <a href={address}>{entity}</a>}</>
        )}
      </div>
    </div>
  )
}

function Who({ event }: { event: AuditEvent }) {
  const { author, asUser, address } = auditWords(event)
  const { author_id: id } = event
  // The event does not have the user name, and a deleted account has no profile.
  const account = useRead<{ username: string }>(id > 0 && boot.user ? `/users/${id}` : undefined, {
    staleTime: MINUTE,
  }).data
  return (
    <div>
      {account ? <a href={`/${account.username}`}>{author}</a> : author}
      {asUser !== undefined && ` as ${asUser}`}
      {address !== undefined && <div class={styles['quiet']}>{address}</div>}
    </div>
  )
}

/** The period in the address, as parameters of the API. */
export function auditPeriod(search: URLSearchParams): Record<string, string | undefined> {
  const after = search.get('after') ?? ''
  const before = search.get('before') ?? ''
  return {
    created_after: isDay(after) ? `${after}T00:00:00Z` : undefined,
    created_before: isDay(before) ? `${before}T23:59:59.999Z` : undefined,
  }
}

/** A date field may be half filled in, or the address written by hand. */
function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text)
}
