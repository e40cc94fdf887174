import { EditPage } from '../page-form.js'

/** A page of the wiki of a project in an editor. */
export function Page({ params: { project, slug } }: { params: Record<'project' | 'slug', string> }) {
  return <EditPage key={slug} owner={{ kind: 'project', path: project }} slug={slug} />
}
