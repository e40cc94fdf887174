import { shellWord } from '../../kit/shell-word.js'
import type { RecordsApi } from './api-of-records.js'

/**
 * The command that reads what an address names, or creates a record. The fields that the address of a new merge request
 * carries, such as `merge_request[source_branch]=fix`, are those of the request.
 */
export function commandOf(
  { list, shows, record }: RecordsApi,
  { origin, search }: { origin: string; search: string },
): string {
  const fields = shows === 'new' ? fieldsIn(search) : []
  return [
    `curl --fail-with-body${shows === 'new' ? ' --request POST' : ''}`,
    `--globoff --header "PRIVATE-TOKEN: $TOKEN"`,
    ...fields.map(([name, value]) => `--data-urlencode ${shellWord(`${name}=${value}`)}`),
    shellWord(`${origin}/api/v4${record ?? list}`),
  ].join(' \\\n  ')
}

function fieldsIn(search: string): [name: string, value: string][] {
  const given = [...new URLSearchParams(search)].flatMap(([key, value]): [string, string][] => {
    const name = /\[(\w+)\]$/.exec(key)?.[1]
    return name === undefined ? [] : [[name, value]]
  })
  return given.some(([name]) => name === 'title') ? given : [['title', 'TITLE'], ...given]
}
