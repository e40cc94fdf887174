import type { GlobalSettings } from '../../../../coordinator/accounts/notification-settings/schema.js'
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
import { addressChoices, emailFields, EVENT_FIELDS, notificationFields, PROFILE_FIELDS } from './fields.js'
import { StatusPanel } from './status-panel.js'

const PATH = '/user'
const EMAILS = '/user/emails'
const NOTIFICATIONS = '/notification_settings'

/** The user as others see them, the addresses of the user, and what mails go there. */
export function Page() {
  useTitle('Profile')
  const user = useRead<FullUser>(PATH)
  const emails = useRead<Email[]>(EMAILS)
  const notifications = useRead<GlobalSettings>(NOTIFICATIONS)
  return (
    <>
      <PageHeader
        title="Profile"
        details="How others see you, and what you get mails about."
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
              <Read of={notifications}>
                {(settings) => <Notifications settings={settings} choices={choices} />}
              </Read>
            </Panels>
          )
        }}
      </Read>
    </>
  )
}

interface NotificationsProps {
  settings: GlobalSettings
  choices: readonly { value: string; label: string }[]
}

function Notifications({ settings, choices }: NotificationsProps) {
  const reread = () => refresh(NOTIFICATIONS)
  return (
    <>
      <SettingsForm
        title="Notifications"
        path={NOTIFICATIONS}
        fields={notificationFields(choices)}
        values={settings}
        onSaved={reread}
      />
      {settings.level === 'custom' && (
        <SettingsForm
          title="Events with mails"
          path={NOTIFICATIONS}
          fields={EVENT_FIELDS}
          values={settings.events ?? {}}
          onSaved={reread}
        />
      )}
    </>
  )
}
