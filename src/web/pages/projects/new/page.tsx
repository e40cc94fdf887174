import { useTitle } from '../../../frame/document-title.js'
import { useLocation } from '../../../frame/location.js'
import { PageHeader } from '../../../kit/panel.js'
import { Tabs } from '../../../kit/tabs.js'
import { ArchiveForm } from '../archive-form.js'
import { BlankForm } from '../blank-form.js'
import { ImportForm } from '../import-form.js'

const WAYS = [
  { hash: '#blank', label: 'Blank project', Form: BlankForm },
  { hash: '#import', label: 'Import by URL', Form: ImportForm },
  { hash: '#archive', label: 'Import from an archive', Form: ArchiveForm },
]

/** Creates a project, in one of three ways. */
export function Page() {
  const { hash, pathname, search } = useLocation()
  const way = WAYS.find((other) => other.hash === hash) ?? WAYS[0]
  useTitle('New project')
  return (
    <>
      <PageHeader title="New project" />
      <Tabs
        label="Ways to create a project"
        tabs={WAYS.map((other) => ({
          label: other.label,
          href: pathname + search + other.hash,
          isCurrent: other === way,
        }))}
      />
      {way && <way.Form />}
    </>
  )
}
