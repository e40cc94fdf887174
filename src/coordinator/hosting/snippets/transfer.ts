import { Type } from 'typebox'

import { inPages } from '../../database/in-pages.js'
import { type TransferPart, transferPart } from '../../http/archive-part.js'
import { described } from '../../http/parameters/described.js'
import { DateTime, Visibility } from '../../http/parameters/types.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { openFile, pathsOf } from './files.js'
import { CreateSnippet } from './schema.js'
import { addSnippet, type SnippetDeps } from './snippets.js'

/** Larger files are not in archives, in bytes. */
const MAX_FILE_BYTES = 10 * 1024 * 1024
const MAX_FILES = 1000

const { title, description } = CreateSnippet.properties
const File = Type.Object({
  path: described(Type.String({ minLength: 1, maxLength: 1024 }), 'Path.'),
  content: described(Type.String(), 'Content in base64.'),
})
const Transferred = Type.Object({
  title,
  description,
  visibility: described(Visibility, 'Who may see it.'),
  created_at: described(DateTime(), 'Time of creation.'),
  files: described(Type.Array(File, { minItems: 1, maxItems: MAX_FILES }), 'Files.'),
})

/** Import and export of the snippets of a project, with their present files. The importer becomes the author. */
export function snippetPart(deps: Pick<SnippetDeps, 'database' | 'snippetRepositories'>): TransferPart {
  const { database, snippetRepositories } = deps
  // Never aborts: no client waits for these background tasks.
  const { signal } = new AbortController()
  return transferPart({
    name: 'snippets',
    schema: Transferred,
    read: async function* ({ id: projectId }) {
      const rows = inPages(
        database
          .selectFrom('snippet')
          .selectAll()
          .where('project_id', '=', projectId)
          .where('is_ready', '=', true),
        'snippet',
      )
      for await (const row of rows) {
        const files = await filesOf(deps, row.id, signal)
        if (files.length === 0) continue
        yield {
          title: row.title,
          description: row.description ?? undefined,
          visibility: row.visibility,
          created_at: isoTime(row.created_at),
          files,
        }
      }
    },
    identityOf: ({ title, created_at }) => [title, created_at],
    write: ({ project, importer }, { files, created_at, ...snippet }) =>
      addSnippet(
        { database, snippetRepositories },
        importer,
        {
          ...snippet,
          description: snippet.description ?? null,
          project_id: project.id,
          user_agent: null,
          ip_address: null,
          created_at: Date.parse(created_at),
        },
        files.map(({ path, content }) => ({
          action: 'create',
          path,
          content: Buffer.from(content, 'base64'),
        })),
        signal,
      ),
  })
}

async function filesOf(
  { snippetRepositories }: Pick<SnippetDeps, 'snippetRepositories'>,
  id: number,
  signal: AbortSignal,
): Promise<{ path: string; content: string }[]> {
  const files: { path: string; content: string }[] = []
  for (const path of (await pathsOf(snippetRepositories, id)).slice(0, MAX_FILES)) {
    const { blob, bytes } = await openFile(snippetRepositories, id, { path }, signal)
    if (blob.size > MAX_FILE_BYTES) continue
    const pieces: Buffer[] = []
    for await (const piece of bytes) pieces.push(piece)
    files.push({ path, content: Buffer.concat(pieces).toString('base64') })
  }
  return files
}
