import { type Reading, recordBatches } from '../repositories/browse/reading.js'
import type { RepositoryPaths } from './view-schema.js'

const MAX_PATHS = 500_000
const SUBMODULE = '160000 '

/** The paths of all files of a commit, as the text of a `RepositoryPaths`. */
export async function* allPaths(reading: Reading, commit: string): AsyncGenerator<string> {
  const start: Pick<RepositoryPaths, 'commit'> = { commit }
  yield `${JSON.stringify(start).slice(0, -1)},"paths":[`
  let left = MAX_PATHS
  let separator = ''
  for await (const batch of recordBatches(reading, ['ls-tree', '-r', '-z', '--full-tree', commit])) {
    const paths = batch.filter((record) => !record.startsWith(SUBMODULE)).map(pathOf)
    const sent = paths.slice(0, left)
    if (sent.length > 0) yield separator + JSON.stringify(sent).slice(1, -1)
    separator = ','
    left -= paths.length
    if (left < 0) break
  }
  yield `],"truncated":${left < 0}}`
}

/** Parses `<mode> <type> <id>\t<path>`. */
function pathOf(record: string): string {
  return record.slice(record.indexOf('\t') + 1)
}
