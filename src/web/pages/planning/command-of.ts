import { shellWord } from '../../kit/shell-word.js'
import type { RecordsApi } from './api-of-records.js'

/** The command that reads what an address names, or creates a record. */
export function commandOf({ list, shows, record }: RecordsApi, origin: string): string {
  return [
    `curl --fail-with-body${shows === 'new' ? ' --request POST' : ''}`,
    `--globoff --header "PRIVATE-TOKEN: $TOKEN"`,
    ...(shows === 'new' ? [`--data-urlencode ${shellWord('title=TITLE')}`] : []),
    shellWord(`${origin}/api/v4${record ?? list}`),
  ].join(' \\\n  ')
}
