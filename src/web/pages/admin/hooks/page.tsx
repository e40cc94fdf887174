import { addressOf } from '../../../../addresses/address-of.js'
import { useTitle } from '../../../frame/document-title.js'
import { PageHeader } from '../../../kit/panel.js'
import { Hooks } from '../../../records/hooks.js'

/** The system hooks of the instance. */
export function Page() {
  useTitle('System hooks')
  return (
    <>
      <PageHeader
        title="System hooks"
        details="Send events of the whole instance to other systems, such as new users and pushes to any project."
      />
      <Hooks
        kind="system"
        path="/hooks"
        addressOfHook={(id) => addressOf('admin/hook', { id: String(id) })}
      />
    </>
  )
}
