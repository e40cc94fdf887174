import { ScrollText } from 'lucide'
import type { ComponentChildren } from 'preact'

import { queryOf } from '../../addresses/address-of.js'
import type { AuditEvent } from '../../coordinator/accounts/audit-events/schema.js'
import { useReadList } from '../api/use-read.js'
import { useSearch } from '../frame/location.js'
import { ReadRows } from '../frame/problem.js'
import { Empty } from '../kit/empty.js'
import { Input } from '../kit/field.js'
import { LoadMore } from '../kit/load-more.js'
import { Panel } from '../kit/panel.js'
import { Table } from '../kit/table.js'
import { Time } from '../kit/time.js'
import styles from './audit-events.module.css'
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
  const { rows, result, hasMore, more } = useReadList<AuditEvent>(
    `${path}${queryOf({ ...query, pagination: 'keyset', per_page: 50 })}`,
    { keepsPrevious: true },
  )
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
              cell: (event) => {
                const { target, targetType } = auditWords(event)
                return (
                  <div>
                    <span class={styles['target']}>{target}</span>
                    <div class={styles['quiet']}>{targetType}</div>
                  </div>
                )
              },
            },
            {
              title: 'Who',
              cell: (event) => {
                const { author, asUser, address } = auditWords(event)
                return (
                  <div>
                    {author}
                    {asUser !== undefined && ` as ${asUser}`}
                    {address !== undefined && <div class={styles['quiet']}>{address}</div>}
                  </div>
                )
              },
            },
            { title: 'When', cell: ({ created_at: at }) => <Time value={at} /> },
          ]}
        />
      </ReadRows>
      {hasMore && <LoadMore of="events" isBusy={result.isFetchingNextPage} onMore={more} />}
    </Panel>
  )
}

function What({ event }: { event: AuditEvent }) {
  const { action, attribute, change } = auditWords(event)
  return (
    <div>
      <strong>{action}</strong>
      {attribute !== undefined && (
        <div class={styles['quiet']}>
          {attribute}
          {change && (
            <>
              {': '}
              <del>{change.from}</del> → <ins>{change.to}</ins>
            </>
          )}
        </div>
      )}
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
