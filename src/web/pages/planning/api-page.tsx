import { RequestError } from '../../api/client.js'
import { type Reading, useRead } from '../../api/use-read.js'
import { useTitle } from '../../frame/document-title.js'
import { NotFound, Read } from '../../frame/problem.js'
import { Badge } from '../../kit/badge.js'
import { CodeBlock } from '../../kit/code-block.js'
import { PageHeader, Panel } from '../../kit/panel.js'
import { apiOfRecords, type RecordsApi, type RecordsOwner } from './api-of-records.js'
import styles from './api-page.module.css'
import { commandOf } from './command-of.js'

/** What is shown of a record of any kind. */
interface AnyRecord {
  title?: string
  name?: string
  slug?: string
  body?: string
  state?: string
  web_url?: string
  target_url?: string
}

const FIRST_ROWS = 50
/** Statuses for what does not exist, or must not be seen. */
const HIDDEN = new Set([400, 401, 403, 404])

interface ApiPageProps {
  owner: RecordsOwner
  kind: string
  record: string
}

/**
 * In place of the page of a record that has none yet: what it is called, and the request that shows all of it. Those who
 * may not read it see the same as where nothing exists.
 */
export function ApiPage({ owner, kind, record }: ApiPageProps) {
  const api = apiOfRecords(owner, kind, record)
  const read = useRead<AnyRecord | AnyRecord[]>(
    api.record ?? `${api.list}?per_page=${api.shows === 'new' ? 1 : FIRST_ROWS}`,
  )
  const title = capitalized(api.label)
  useTitle(owner === undefined ? title : `${title} · ${Object.values(owner).join('')}`)
  if (isHidden(read)) return <NotFound isPage />
  return (
    <Read of={read} title={title}>
      {(response) => {
        const rows = [response].flat()
        if (api.shows === 'record' && rows.length === 0) return <NotFound isPage />
        return <Shown api={api} rows={rows} />
      }}
    </Read>
  )
}

function Shown({ api, rows }: { api: RecordsApi; rows: AnyRecord[] }) {
  const [first] = rows
  const isRecord = api.shows === 'record'
  return (
    <>
      <PageHeader
        title={isRecord ? nameOf(first) : capitalized(api.label)}
        details={isRecord && first?.state !== undefined && <Badge>{first.state}</Badge>}
      />
      <Panel>
        <p class={styles['sentence']}>{sentenceOf(api)}</p>
        <CodeBlock label="command" text={commandOf(api, location.origin)} />
      </Panel>
      {api.shows === 'list' && rows.length > 0 && (
        <Panel title={rows.length < FIRST_ROWS ? capitalized(api.label) : `First ${FIRST_ROWS} ${api.label}`}>
          <ul class={styles['list']}>
            {rows.map((row, index) => (
              <li key={index}>
                <Name row={row} />
                {row.state !== undefined && <Badge>{row.state}</Badge>}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}

function Name({ row }: { row: AnyRecord }) {
  const address = row.web_url ?? row.target_url
  return address === undefined ? <span>{nameOf(row)}</span> : <a href={address}>{nameOf(row)}</a>
}

function sentenceOf({ label, shows }: RecordsApi): string {
  const what = { list: `${capitalized(label)} have`, record: 'This has', new: 'What creates these has' }[
    shows
  ]
  return `${what} no page yet; this request of the API does the same:`
}

function nameOf(record: AnyRecord | undefined): string {
  return record?.title ?? record?.name ?? record?.body ?? record?.slug ?? ''
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function isHidden({ error }: Reading<unknown>): boolean {
  return error instanceof RequestError && HIDDEN.has(error.status)
}
