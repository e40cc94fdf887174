import { groupApi, projectApi } from '../../../addresses/first-reads.js'

/** Where the API has what an address without a page names. Paths are below the prefix of the API. */
export interface RecordsApi {
  /** Name of the records, in plural. */
  label: string
  /** The path of the list, which is served only to those who may read it. */
  list: string
  /** What the address asks for. */
  shows: 'list' | 'record' | 'new'
  /** The path of the record; of a list, if only a list finds it. */
  record?: string
}

const NOUNS: Record<string, string> = {
  snippets: 'snippets',
  wikis: 'wiki pages',
  epics: 'epics',
}

/** What the address of a record names; undefined for the user's own records. */
export type RecordsOwner = { project: string } | { group: string } | undefined

/**
 * The API of the records of a kind, of a project, of a group, or of the user.
 * @param kind as in the address, such as `wikis`
 * @param record the rest of the address: empty, `new`, or what begins with the number or path of a record
 */
export function apiOfRecords(owner: RecordsOwner, kind: string, record: string): RecordsApi {
  const base =
    owner === undefined ? '' : 'project' in owner ? projectApi(owner.project) : groupApi(owner.group)
  const list = `${base}/${kind}`
  const label = NOUNS[kind] ?? kind
  if (record === '') return { label, list, shows: 'list' }
  if (record === 'new' || record.startsWith('new/')) return { label, list, shows: 'new' }
  return { label, list, shows: 'record', record: recordPath(list, kind, record) }
}

function recordPath(list: string, kind: string, record: string): string {
  if (kind === 'wikis') return `${list}/${encodeURIComponent(record)}`
  const [number = ''] = record.split('/')
  return `${list}/${encodeURIComponent(number)}`
}
