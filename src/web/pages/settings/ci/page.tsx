import { FlaskConical } from 'lucide'
import { useState } from 'preact/hooks'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Button } from '../../../kit/button.js'
import { PageHeader, Panels } from '../../../kit/panel.js'
import { InheritedVariables } from '../../../records/inherited-variables.js'
import { ProtectedEnvironments } from '../../../records/protected-environments/protected-environments.js'
import { SettingsForm } from '../../../records/settings-form.js'
import { Variables } from '../../../records/variables.js'
import { SettingsTabs } from '../settings-tabs.js'
import { Caches } from './caches.js'
import { PIPELINE_FIELDS } from './fields.js'
import { JobTokenScope } from './job-token-scope.js'
import { ResourceGroups } from './resource-groups.js'
import { SecureFiles } from './secure-files.js'
import { Triggers } from './triggers.js'
import { TryCoverage } from './try-coverage.js'

/** CI/CD settings of a project: its variables, and how its pipelines run. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`CI/CD settings · ${project}`)
  const abilities = useProjectAbilities(project)
  const { may, reasonAgainst } = abilities
  return (
    <>
      <PageHeader title="CI/CD settings" />
      <SettingsTabs project={project} current="ci" />
      <Panels>
        <Allowed
          abilities={abilities}
          to="admin_variables"
          otherwise="Maintainers and above manage the variables of a project."
        >
          <Variables
            path={`${projectApi(project)}/variables`}
            withEnvironments
            reason={reasonAgainst('admin_variables')}
          />
          <InheritedVariables base={projectApi(project)} />
        </Allowed>
        {may('edit_project') && <Pipelines project={project} reason={reasonAgainst('edit_project')} />}
        {may('admin_triggers') && <Triggers project={project} reason={reasonAgainst('admin_triggers')} />}
        {may('admin_job_token_scope') && (
          <JobTokenScope project={project} reason={reasonAgainst('admin_job_token_scope')} />
        )}
        {may('admin_protected_environments') && (
          <ProtectedEnvironments
            owner="project"
            base={projectApi(project)}
            reason={reasonAgainst('admin_protected_environments')}
          />
        )}
        {may('read_resource_groups') && (
          <ResourceGroups project={project} mayChange={may('manage_resource_groups')} />
        )}
        {may('admin_secure_files') && (
          <SecureFiles project={project} reason={reasonAgainst('admin_secure_files')} />
        )}
        {may('read_caches') && (
          <Caches
            project={project}
            mayDelete={may('delete_caches')}
            reason={reasonAgainst('delete_caches')}
          />
        )}
      </Panels>
    </>
  )
}

function Pipelines({ project, reason }: { project: string; reason: string | undefined }) {
  const path = projectApi(project)
  const values = useRead<FullProject>(path)
  const [isTrying, setTrying] = useState(false)
  return (
    <Read of={values}>
      {(found) => (
        <>
          <SettingsForm
            title="Pipelines"
            path={path}
            fields={PIPELINE_FIELDS}
            values={found}
            reason={reason}
            onSaved={() => refresh(path)}
            actions={
              <Button size="small" icon={FlaskConical} reason={reason} onClick={() => setTrying(true)}>
                Try a coverage expression
              </Button>
            }
          />
          {isTrying && (
            <TryCoverage
              project={project}
              saved={found.build_coverage_regex}
              onClose={() => setTrying(false)}
            />
          )}
        </>
      )}
    </Read>
  )
}
