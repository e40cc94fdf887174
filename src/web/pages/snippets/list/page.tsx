import { projectApi } from '../../../../addresses/first-reads.js'
import { useTitle } from '../../../frame/document-title.js'
import { PageHeader } from '../../../kit/panel.js'
import { NewSnippetButton, SnippetList } from '../snippet-list.js'

/** The snippets of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Snippets · ${project}`)
  return (
    <>
      <PageHeader title="Snippets" actions={<NewSnippetButton project={project} />} />
      <SnippetList
        project={project}
        path={`${projectApi(project)}/snippets`}
        empty="The project has no snippet yet."
      />
    </>
  )
}
