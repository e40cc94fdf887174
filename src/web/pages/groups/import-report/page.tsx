import { addressOf } from '../../../../addresses/address-of.js'
import { useTitle } from '../../../frame/document-title.js'
import { LinkButton } from '../../../kit/button.js'
import { PageHeader } from '../../../kit/panel.js'
import { ImportReport } from '../import-report.js'

/** The progress of an import of a group, and its report. */
export function Page({ params: { id } }: { params: { id: string } }) {
  useTitle(`Import ${id}`)
  return (
    <>
      <PageHeader
        title={`Import ${id}`}
        actions={<LinkButton href={addressOf('groups/import', {})}>Import another group</LinkButton>}
      />
      <ImportReport id={Number(id)} />
    </>
  )
}
