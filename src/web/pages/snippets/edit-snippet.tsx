import { useEffect, useState } from 'preact/hooks'

import type { Snippet } from '../../../coordinator/hosting/snippets/schema.js'
import { boot } from '../../api/boot.js'
import { RequestError, requestJson } from '../../api/client.js'
import { useRead } from '../../api/use-read.js'
import { Allowed } from '../../frame/allowed.js'
import { useTitle } from '../../frame/document-title.js'
import { NotFound, Problem, Read } from '../../frame/problem.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { Alert } from '../../kit/alert.js'
import { PageHeader } from '../../kit/panel.js'
import { Skeleton } from '../../kit/skeleton.js'
import { type SavedSnippet, SnippetForm } from './snippet-form.js'
import { fileApi, snippetApi, type SnippetProject } from './snippet-owner.js'
import { useSnippetRights } from './snippet-rights.js'
import { readSnippetFile } from './use-snippet-file.js'

/** A form for a new snippet. */
export function NewSnippet({ project }: { project: SnippetProject }) {
  useTitle(`New snippet · ${project ?? 'Snippets'}`)
  const abilities = useProjectAbilities(project)
  const { mayCreate, reason } = useSnippetRights(project)
  const form = (
    <>
      <PageHeader title="New snippet" />
      <SnippetForm project={project} saved={undefined} reason={reason} />
    </>
  )
  if (project === undefined) return form
  return (
    <Allowed
      abilities={{ ...abilities, may: () => mayCreate }}
      to="create_snippets"
      title="New snippet"
      otherwise={boot.user ? 'Reporters and above can create snippets.' : 'Sign in to create a snippet.'}
    >
      {form}
    </Allowed>
  )
}

/** A snippet with its files in a form. */
export function EditSnippet({ project, id }: { project: SnippetProject; id: string }) {
  useTitle(`Edit snippet · ${project ?? 'Snippets'}`)
  const snippet = useRead<Snippet>(snippetApi(project, id))
  const { mayEdit, reason } = useSnippetRights(project)
  const { error } = snippet
  if (error instanceof RequestError && [401, 403, 404].includes(error.status)) return <NotFound isPage />
  return (
    <Read of={snippet} title="Edit snippet">
      {(record) => (
        <>
          <PageHeader title={`Edit ${record.title}`} />
          {mayEdit(record) ? (
            <WithFiles key={record.id} project={project} snippet={record} reason={reason} />
          ) : (
            <Alert tone="warning">Its author and maintainers can change a snippet.</Alert>
          )}
        </>
      )}
    </Read>
  )
}

interface WithFilesProps {
  project: SnippetProject
  snippet: Snippet
  reason: string | undefined
}

function WithFiles({ project, snippet, reason }: WithFilesProps) {
  const [saved, setSaved] = useState<SavedSnippet>()
  const [error, setError] = useState<RequestError>()
  const [isText, setText] = useState(true)
  const read = async (record: Snippet, { signal } = new AbortController()) => {
    const files = await readFiles(project, record, signal)
    if (files) setSaved({ snippet: record, files })
    else setText(false)
  }
  useEffect(() => {
    const abort = new AbortController()
    read(snippet, abort).catch((thrown: unknown) => {
      if (abort.signal.aborted) return
      if (!(thrown instanceof RequestError)) throw thrown
      setError(thrown)
    })
    return () => abort.abort()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the form begins with what was there at first
  }, [])
  if (error) return <Problem error={error} />
  if (!isText) {
    return <Alert tone="warning">The snippet has files that are no text. Clone it to change it.</Alert>
  }
  if (!saved) return <Skeleton rows={10} />
  return (
    <SnippetForm
      project={project}
      saved={saved}
      reason={reason}
      readAgain={async () => read(await requestJson<Snippet>(snippetApi(project, snippet.id)))}
    />
  )
}

/** The files of a snippet; undefined if one of them cannot be edited as a text. */
async function readFiles(
  project: SnippetProject,
  { id, files = [] }: Snippet,
  signal: AbortSignal,
): Promise<SavedSnippet['files'] | undefined> {
  const read = await Promise.all(
    files.map(async ({ path }) => ({ path, ...(await readSnippetFile(fileApi(project, id, path), signal)) })),
  )
  const texts = read.flatMap(({ path, text, isCut }) =>
    text === undefined || isCut ? [] : [{ path, content: text }],
  )
  return texts.length === read.length ? texts : undefined
}
