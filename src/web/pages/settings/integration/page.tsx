import { ArrowLeft, Send } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { Integration, IntegrationKind } from '../../../../coordinator/integrations/services/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate } from '../../../frame/location.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { NotFound, Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Badge } from '../../../kit/badge.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { PageHeader, Panels } from '../../../kit/panel.js'
import { SettingsForm } from '../../../records/settings-form.js'
import { SettingsTabs } from '../settings-tabs.js'
import { eventFields, propertyFields } from './integration-fields.js'

/** The settings of one integration of a project. */
export function Page({ params: { project, slug } }: { params: { project: string; slug: string } }) {
  const kinds = useRead<IntegrationKind[]>('/integration_kinds')
  const kind = kinds.data?.find((one) => one.slug === slug)
  useTitle(`${kind?.title ?? 'Integration'} · ${project}`)
  return (
    <>
      <PageHeader
        title={kind?.title ?? 'Integration'}
        actions={
          <LinkButton icon={ArrowLeft} href={addressOf('settings/integrations', { project })}>
            All integrations
          </LinkButton>
        }
      />
      <SettingsTabs project={project} current="integrations" />
      <Allowed
        abilities={useProjectAbilities(project)}
        to="admin_project"
        otherwise="Maintainers and above manage the integrations of a project."
      >
        <Read of={kinds}>
          {() => (kind === undefined ? <NotFound /> : <Settings project={project} kind={kind} />)}
        </Read>
      </Allowed>
    </>
  )
}

function Settings({ project, kind }: { project: string; kind: IntegrationKind }) {
  const list = `${projectApi(project)}/integrations`
  const path = `${list}/${kind.slug}`
  const integration = useRead<Integration>(path)
  const reason = useProjectAbilities(project).reasonAgainst('admin_project')
  const [isDisabling, setDisabling] = useState(false)
  const test = useAction(async () => {
    await requestJson(`${path}/test`, { method: 'POST' })
    notify('The test event was delivered')
  }, notifyError)
  const disable = useAction(async () => {
    await requestJson(path, { method: 'DELETE' })
    notify(`${kind.title} is disabled`)
    await refresh(list)
    navigate(addressOf('settings/integrations', { project }))
  }, notifyError)
  const saved = () => refresh(list)
  return (
    <Read of={integration}>
      {(values) => {
        const isSaved = values.id !== null
        const form = { path, reason, onSaved: saved }
        const events = eventFields(kind)
        return (
          <Panels>
            <SettingsForm
              {...form}
              title="Settings"
              fields={[
                ...propertyFields(kind, isSaved),
                ...(isSaved ? [{ name: 'active', label: 'Active', kind: 'check' as const }] : []),
              ]}
              values={{ ...values.properties, active: values.active }}
              actions={
                isSaved && (
                  <>
                    <Badge tone={values.active ? 'success' : 'neutral'}>
                      {values.active ? 'active' : 'inactive'}
                    </Badge>
                    {kind.sends && values.active && (
                      <Button
                        size="small"
                        icon={Send}
                        reason={reason}
                        isBusy={test.isBusy}
                        onClick={() => void test.run()}
                      >
                        Send test event
                      </Button>
                    )}
                    <Button size="small" kind="danger" reason={reason} onClick={() => setDisabling(true)}>
                      Disable
                    </Button>
                  </>
                )
              }
            />
            {isSaved && events.length > 0 && (
              <SettingsForm {...form} title="Events" fields={events} values={values} />
            )}
            {isDisabling && (
              <ConfirmDialog
                title={`Disable ${kind.title}?`}
                action="Disable"
                isBusy={disable.isBusy}
                onConfirm={() => void disable.run()}
                onClose={() => setDisabling(false)}
              >
                <p>
                  Its settings and secrets are deleted. To keep them, switch off "Active" and save instead.
                </p>
              </ConfirmDialog>
            )}
          </Panels>
        )
      }}
    </Read>
  )
}
