import type { ComponentChildren } from 'preact'

import { Allowed } from '../../frame/allowed.js'
import { useTitle } from '../../frame/document-title.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { PageHeader } from '../../kit/panel.js'
import { type SettingsTab, SettingsTabs } from './settings-tabs.js'

interface SettingsPageProps {
  /** Full path. */
  project: string
  title: string
  details?: string
  current: SettingsTab
  /** The permission that the content needs. */
  to: string
  /** In place of the content: the roles that have the permission. */
  otherwise: string
  /** @param reason why nothing can be changed now */
  children: (reason: string | undefined) => ComponentChildren
}

/** A page of the settings of a project: heading, tabs, and the content for those who may see it. */
export function SettingsPage({
  project,
  title,
  details,
  current,
  to,
  otherwise,
  children,
}: SettingsPageProps) {
  useTitle(`${title} · ${project}`)
  const abilities = useProjectAbilities(project)
  return (
    <>
      <PageHeader title={title} details={details} />
      <SettingsTabs project={project} current={current} />
      <Allowed abilities={abilities} to={to} otherwise={otherwise}>
        {children(abilities.reasonAgainst(to))}
      </Allowed>
    </>
  )
}
