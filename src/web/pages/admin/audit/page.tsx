import { Download } from 'lucide'
import { useEffect, useState } from 'preact/hooks'

import { queryOf } from '../../../../addresses/address-of.js'
import { groupApi, projectApi } from '../../../../addresses/first-reads.js'
import type { AuditEvent } from '../../../../coordinator/accounts/audit-events/schema.js'
import { RequestError, requestPage } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { readOnce } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { useSearch } from '../../../frame/location.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Button } from '../../../kit/button.js'
import { formatCount } from '../../../kit/bytes.js'
import { Input, Select } from '../../../kit/field.js'
import { PageHeader } from '../../../kit/panel.js'
import { AuditEvents, auditPeriod } from '../../../records/audit-events.js'

const PATH = '/audit_events'
/** Events of one file. */
const MAX_EXPORTED = 10_000

const TYPES = [
  { value: '', label: 'All' },
  { value: 'Project', label: 'Project' },
  { value: 'Group', label: 'Group' },
  { value: 'User', label: 'User' },
]

/** The audit events of the instance. */
export function Page() {
  useTitle('Audit events')
  const [search, setSearch] = useSearch()
  const author = search.get('author') ?? ''
  const type = search.get('type') ?? ''
  const entity = search.get('entity') ?? ''
  const authorId = useRecordId(author === '' ? undefined : userPath(author))
  const entityId = useRecordId(type === '' || entity === '' ? undefined : entityPath(type, entity))
  const filters = {
    author_id: authorId?.toString(),
    entity_type: type || undefined,
    entity_id: entityId?.toString(),
  }
  const write = useAction(async () => {
    const events = await readEvents(
      `${PATH}${queryOf({ ...filters, ...auditPeriod(search), pagination: 'keyset', per_page: 100 })}`,
    )
    save(events.map((event) => JSON.stringify(event)).join('\n'), 'audit-events.jsonl')
    notify(
      events.length < MAX_EXPORTED
        ? `${formatCount(events.length)} events were exported`
        : `The newest ${formatCount(MAX_EXPORTED)} events were exported`,
    )
  }, notifyError)
  return (
    <>
      <PageHeader title="Audit events" details="Who changed what on this instance, and from which address." />
      <AuditEvents
        path={PATH}
        filters={filters}
        fields={
          <>
            <Input
              label="Who"
              placeholder="Username"
              value={author}
              onInput={(value) => setSearch({ author: value })}
              spellcheck={false}
              error={authorId === 0 ? 'There is no such user.' : undefined}
            />
            <Select
              label="What is changed"
              value={type}
              onInput={(value) => setSearch({ type: value, entity: undefined })}
              choices={TYPES}
            />
            {type !== '' && (
              <Input
                label={type === 'User' ? 'Username' : 'Path'}
                value={entity}
                onInput={(value) => setSearch({ entity: value })}
                spellcheck={false}
                error={entityId === 0 ? `There is no such ${type.toLowerCase()}.` : undefined}
              />
            )}
          </>
        }
        actions={
          <Button size="small" icon={Download} isBusy={write.isBusy} onClick={() => void write.run()}>
            Export
          </Button>
        }
      />
    </>
  )
}

function userPath(username: string): string {
  return `/users${queryOf({ username })}`
}

function entityPath(type: string, entity: string): string {
  if (type === 'User') return userPath(entity)
  return `${(type === 'Group' ? groupApi : projectApi)(entity)}${type === 'Group' ? '?with_projects=false' : ''}`
}

const PAUSE_MILLISECONDS = 300

/** The ID of the record at a path, once typing pauses: 0 if there is none, undefined while it is not known. */
function useRecordId(path: string | undefined): number | undefined {
  const [found, setFound] = useState<{ path: string; id: number }>()
  useEffect(() => {
    if (path === undefined) return undefined
    const timer = setTimeout(() => {
      void readId(path).then((id) => setFound({ path, id }))
    }, PAUSE_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [path])
  return found && found.path === path ? found.id : undefined
}

async function readId(path: string): Promise<number> {
  try {
    const response = await readOnce<{ id: number } | { id: number }[]>(path)
    return (Array.isArray(response) ? response[0]?.id : response.id) ?? 0
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return 0
    throw error
  }
}

async function readEvents(path: string): Promise<AuditEvent[]> {
  const events: AuditEvent[] = []
  for (let next: string | undefined = path; next !== undefined && events.length < MAX_EXPORTED;) {
    const page: { rows: AuditEvent[]; next: string | undefined } = await requestPage<AuditEvent>(next)
    events.push(...page.rows)
    next = page.next
  }
  return events
}

function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text, '\n'], { type: 'application/jsonl' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
