import { useEffect, useState } from 'preact/hooks'

import type { RenderedMarkdown } from '../../coordinator/planning/markdown/schema.js'
import { RequestError, requestJson } from '../api/client.js'
import { Rendered } from '../code/rendered.js'
import { Problem } from '../frame/problem.js'
import { Skeleton } from '../kit/skeleton.js'

interface MarkdownPreviewProps {
  /** Full path of the project to which references such as `#1` belong; undefined for a text of a group. */
  project: string | undefined
  text: string
}

/** A text in Markdown as the server renders it. */
export function MarkdownPreview({ project, text }: MarkdownPreviewProps) {
  return <Preview path="/markdown" body={{ text, gfm: true, project }} isEmpty={text.trim() === ''} />
}

interface PreviewProps {
  /** The operation that renders the text, which responds with `html`. */
  path: string
  body: object
  isEmpty: boolean
}

/** What an operation renders. */
export function Preview({ path, body, isEmpty }: PreviewProps) {
  const [html, setHtml] = useState<string>()
  const [error, setError] = useState<RequestError>()
  const sent = JSON.stringify(body)
  useEffect(() => {
    const abort = new AbortController()
    setError(undefined)
    requestJson<RenderedMarkdown>(path, { method: 'POST', body, signal: abort.signal }).then(
      (rendered) => setHtml(rendered.html),
      (thrown: unknown) => {
        if (abort.signal.aborted) return
        if (!(thrown instanceof RequestError)) throw thrown
        setError(thrown)
      },
    )
    return () => abort.abort()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `body` is another object in each render, of which `sent` is the text
  }, [path, sent])
  if (error) return <Problem error={error} />
  if (html === undefined) return <Skeleton rows={4} />
  if (isEmpty) return <p>Nothing to preview.</p>
  return <Rendered html={html} />
}
