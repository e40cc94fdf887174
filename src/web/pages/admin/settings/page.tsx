import { addressOf } from '../../../../addresses/address-of.js'
import type { FixedSetting } from '../../../../coordinator/instance/settings/schema.js'
import { queryClient } from '../../../api/query-client.js'
import { useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { useSearch } from '../../../frame/location.js'
import { Read } from '../../../frame/problem.js'
import { PageHeader } from '../../../kit/panel.js'
import { Tabs } from '../../../kit/tabs.js'
import { SettingsForm } from '../../../records/settings-form.js'
import styles from './page.module.css'
import { SETTING_GROUPS } from './setting-groups.js'

const PATH = '/application/settings'

type Settings = Record<string, unknown>

/** The settings of the instance that take effect. */
export function Page() {
  useTitle('Settings')
  const [search] = useSearch()
  const group = SETTING_GROUPS.find(({ value }) => value === search.get('group')) ?? SETTING_GROUPS[0]
  const settings = useRead<Settings>(PATH)
  const fixed = useRead<FixedSetting[]>(`${PATH}/fixed`)
  return (
    <>
      <PageHeader
        title="Settings"
        details="A change takes effect at once, for what is created or requested from then on."
      />
      <Tabs
        label="Settings"
        tabs={SETTING_GROUPS.map((each) => ({
          label: each.title,
          href: addressOf('admin/settings', {}, { group: each.value }),
          isCurrent: each === group,
        }))}
      />
      <div class={styles['content']}>
        <Read of={settings}>
          {(values) => (
            <Read of={fixed}>
              {(keys) =>
                group && (
                  <SettingsForm<Settings>
                    key={group.value}
                    title={group.title}
                    path={PATH}
                    fields={group.fields.map((field) => ({
                      ...field,
                      fixedBy: keys.find(({ name }) => name === field.name)?.key,
                    }))}
                    values={values}
                    onSaved={(response) => void queryClient.setQueryData([PATH], response)}
                  />
                )
              }
            </Read>
          )}
        </Read>
      </div>
    </>
  )
}
