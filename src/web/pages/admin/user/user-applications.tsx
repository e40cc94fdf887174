import { Panel, Panels } from '../../../kit/panel.js'
import { Applications } from '../../../records/applications.js'
import { AuthorizedApplications } from '../../../records/authorized-applications.js'

/** The applications that a user has registered, and those that act for the user. */
export function UserApplications({ id }: { id: number }) {
  return (
    <Panels>
      <Panel title="Registered applications" isFlush>
        <Applications
          path={`/users/${id}/applications`}
          label="Registered applications"
          empty="The user has not registered an application."
        />
      </Panel>
      <AuthorizedApplications
        path={`/users/${id}/authorized_applications`}
        empty="No application has access to the account."
      >
        It has to ask the user again.
      </AuthorizedApplications>
    </Panels>
  )
}
