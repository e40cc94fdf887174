import { Plus } from 'lucide'
import { useState } from 'preact/hooks'

import { useTitle } from '../../../frame/document-title.js'
import { Button } from '../../../kit/button.js'
import { PageHeader, Panel, Panels } from '../../../kit/panel.js'
import { Applications } from '../../../records/applications.js'
import { AuthorizedApplications } from '../../../records/authorized-applications.js'

/** The applications that the user has registered, and those that act for the user. */
export function Page() {
  useTitle('Applications')
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <PageHeader
        title="Applications"
        details="Programs that sign users in with their accounts here, or act for them (OAuth 2 and OpenID Connect)."
      />
      <Panels>
        <Panel
          title="Your applications"
          isFlush
          actions={
            <Button size="small" icon={Plus} onClick={() => setAdding(true)}>
              New application
            </Button>
          }
        >
          <Applications
            path="/user/applications"
            label="Your applications"
            empty="You have not registered an application."
            isAdding={isAdding}
            onAdded={() => setAdding(false)}
          />
        </Panel>
        <AuthorizedApplications
          path="/user/authorized_applications"
          empty="No application has access to your account."
        >
          It has to ask you again.
        </AuthorizedApplications>
      </Panels>
    </>
  )
}
