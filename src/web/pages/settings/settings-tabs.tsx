import { addressOf } from '../../../addresses/address-of.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { Tabs } from '../../kit/tabs.js'
import { ReadOnlyNotice } from './read-only-notice.js'
import styles from './settings-tabs.module.css'

const TABS = [
  { name: 'general', label: 'General', page: 'settings/general' },
  { name: 'ci', label: 'CI/CD', page: 'settings/ci' },
  { name: 'repository', label: 'Repository', page: 'settings/repository' },
  { name: 'access-tokens', label: 'Access tokens', page: 'settings/access-tokens' },
  { name: 'hooks', label: 'Webhooks', page: 'settings/hooks' },
  { name: 'integrations', label: 'Integrations', page: 'settings/integrations' },
  { name: 'sites', label: 'Sites', page: 'settings/sites' },
  { name: 'audit', label: 'Audit events', page: 'settings/audit' },
] as const

export type SettingsTab = (typeof TABS)[number]['name']

/** Links to the settings of a project for those who may open them, and why they cannot be changed. */
export function SettingsTabs({ project, current }: { project: string; current: SettingsTab }) {
  const { result, isLoaded, may } = useProjectAbilities(project)
  if (!isLoaded && !result.error) return <div data-pending="" />
  if (!may('edit_project')) return null
  return (
    <>
      <div class={styles['tabs']}>
        <Tabs
          label="Settings"
          tabs={TABS.map(({ name, label, page }) => ({
            label,
            href: addressOf(page, { project }),
            isCurrent: name === current,
          }))}
        />
      </div>
      <ReadOnlyNotice project={project} />
    </>
  )
}
