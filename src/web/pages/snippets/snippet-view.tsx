import { boot } from '../../api/boot.js'
import { NotFound } from '../../frame/problem.js'
import { EditSnippet, NewSnippet } from './edit-snippet.js'
import type { SnippetProject } from './snippet-owner.js'
import { SnippetPage } from './snippet-page.js'

interface SnippetViewProps {
  project: SnippetProject
  /** `new` for a form. */
  id: string
  /** What follows in the address. */
  view: string
}

/** A snippet, the form that changes it, or that for a new one. */
export function SnippetView({ project, id, view }: SnippetViewProps) {
  if (id === 'new' && view === '' && (boot.user || project !== undefined))
    return <NewSnippet project={project} />
  if (!/^\d{1,15}$/.test(id)) return <NotFound isPage />
  if (view === '') return <SnippetPage key={id} project={project} id={id} />
  return view === 'edit' ? <EditSnippet key={id} project={project} id={id} /> : <NotFound isPage />
}
