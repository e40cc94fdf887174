import { commitById } from '../repositories/browse/commit-log.js'
import { lastCommits } from '../repositories/browse/last-commits.js'
import type { Reading } from '../repositories/browse/reading.js'
import type { Folder } from './browse.js'
import type { TreeCommit } from './view-schema.js'

/** The last commit of each entry of the folder as JSON lines (`TreeCommit`), in the order in which git finds them. */
export async function* treeCommitLines(reading: Reading, { sha, path }: Folder): AsyncGenerator<string> {
  for await (const { id, names } of lastCommits(reading, sha, path)) {
    const { title, authorName, authoredDate } = await commitById(reading, id)
    const commit: TreeCommit['commit'] = {
      id,
      short_id: id.slice(0, 8),
      title,
      author_name: authorName,
      authored_date: authoredDate,
    }
    const lines = names.map((name): TreeCommit => ({ name, commit }))
    yield lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  }
}
