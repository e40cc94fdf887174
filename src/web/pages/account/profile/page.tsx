import type { Email } from '../../../../coordinator/accounts/users/emails/schema.js'
import type { FullUser } from '../../../../coordinator/accounts/users/record/schema.js'
import { boot } from '../../../api/boot.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { Read } from '../../../frame/problem.js'
import { LinkButton } from '../../../kit/button.js'
import { PageHeader, Panels } from '../../../kit/panel.js'
import { PicturePanel } from '../../../records/picture-panel.js'
import { SettingsForm } from '../../../records/settings-form.js'
import { EmailAddresses } from './email-addresses.js'
import { addressChoices, emailFields, PROFILE_FIELDS } from './fields.js'
import { StatusPanel } from './status-panel.js'

const PATH = '/user'
const EMAILS = '/user/emails'

/** The user as others see them, and the addresses of the user. */
export function Page() {
  useTitle('Profile')
  const user = useRead<FullUser>(PATH)
  const emails = useRead<Email[]>(EMAILS)
  return (
    <>
      <PageHeader
        title="Profile"
        details="How others see you, and your addresses."
        actions={boot.user && <LinkButton href={`/${boot.user.username}`}>View profile</LinkButton>}
      />
      <Read of={user}>
        {(own) => {
          const choices = addressChoices(own, emails.data ?? [])
          const form = { path: PATH, values: own, onSaved: () => refresh(PATH) }
          return (
            <Panels>
              <SettingsForm {...form} title="About you" fields={PROFILE_FIELDS} />
              <PicturePanel
                name={own.name}
                url={own.avatar_url}
                path={`${PATH}/avatar`}
                isSquare={false}
                onChanged={() => refresh(PATH)}
              />
              <StatusPanel />
              <EmailAddresses path={EMAILS} user={own} emails={emails} />
              <SettingsForm {...form} title="Use of addresses" fields={emailFields(choices)} />
            </Panels>
          )
        }}
      </Read>
    </>
  )
}
