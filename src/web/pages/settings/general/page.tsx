import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Panels } from '../../../kit/panel.js'
import { Badges } from '../../../records/badges.js'
import { PicturePanel } from '../../../records/picture-panel.js'
import { SettingsForm } from '../../../records/settings-form.js'
import { SettingsPage } from '../settings-page.js'
import { AdvancedPanel } from './advanced-panel.js'
import { ApprovalPanel } from './approval-panel.js'
import { ExportPanel } from './export-panel.js'
import { ACCESS_FIELDS, MERGE_FIELDS, NAME_FIELDS } from './fields.js'
import { StatusChecks } from './status-checks.js'

/** The general settings of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  return (
    <SettingsPage
      project={project}
      title="General settings"
      current="general"
      to="edit_project"
      otherwise="Maintainers and above change the settings of a project."
    >
      {(reason) => <GeneralSettings path={project} reason={reason} />}
    </SettingsPage>
  )
}

function GeneralSettings({ path, reason }: { path: string; reason: string | undefined }) {
  const api = projectApi(path)
  const project = useRead<FullProject>(api)
  const { may } = useProjectAbilities(path)
  const reread = () => refresh(api)
  return (
    <Read of={project}>
      {(values) => {
        const form = { path: api, values, reason, onSaved: reread }
        return (
          <Panels>
            <SettingsForm
              {...form}
              title="Name and description"
              fields={
                values.empty_repo ? NAME_FIELDS.filter(({ name }) => name !== 'default_branch') : NAME_FIELDS
              }
            />
            <PicturePanel
              name={values.name}
              url={values.avatar_url}
              path={api}
              reason={reason}
              onChanged={reread}
            />
            <SettingsForm {...form} title="Visibility and features" fields={ACCESS_FIELDS} />
            <SettingsForm {...form} title="Merge requests" fields={MERGE_FIELDS} />
            {values.merge_requests_access_level !== 'disabled' && (
              <>
                <ApprovalPanel path={api} reason={reason} />
                {may('admin_project') && <StatusChecks path={api} reason={reason} />}
              </>
            )}
            <Badges path={`${api}/badges`} kind="project" reason={reason} />
            <ExportPanel path={api} />
            {may('archive_project') && <AdvancedPanel project={values} />}
          </Panels>
        )
      }}
    </Read>
  )
}
