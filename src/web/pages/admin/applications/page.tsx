import { Plus } from 'lucide'
import { useState } from 'preact/hooks'

import { useTitle } from '../../../frame/document-title.js'
import { Button } from '../../../kit/button.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Applications } from '../../../records/applications.js'

/** The OAuth applications of the instance. */
export function Page() {
  useTitle('Applications')
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <PageHeader
        title="Applications"
        details="Programs that sign users in with their accounts here, or act for them (OAuth 2 and OpenID Connect)."
        actions={
          <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
            New application
          </Button>
        }
      />
      <Panel isFlush>
        <Applications
          path="/applications"
          label="Applications"
          empty="There is no application yet."
          isAdding={isAdding}
          onAdded={() => setAdding(false)}
        />
      </Panel>
    </>
  )
}
