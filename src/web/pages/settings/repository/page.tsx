import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { useRead } from '../../../api/use-read.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Panels } from '../../../kit/panel.js'
import { DeployTokens } from '../../../records/deploy-tokens.js'
import { PushRulePanel } from '../../../records/push-rule-panel.js'
import { SettingsPage } from '../settings-page.js'
import { DeployKeys } from './deploy-keys.js'
import { ProtectedBranches, ProtectedTags } from './protected-refs.js'
import { PullMirror } from './pull-mirror.js'
import { PushMirrors } from './push-mirrors.js'

/** The settings of a repository: who may push what, keys, tokens and mirrors. */
export function Page({ params: { project } }: { params: { project: string } }) {
  return (
    <SettingsPage
      project={project}
      title="Repository settings"
      current="repository"
      to="admin_project"
      otherwise="Maintainers and above change the settings of a repository."
    >
      {() => <RepositorySettings project={project} />}
    </SettingsPage>
  )
}

function RepositorySettings({ project }: { project: string }) {
  const path = projectApi(project)
  const record = useRead<FullProject>(path)
  const { reasonAgainst } = useProjectAbilities(project)
  return (
    <Panels>
      <ProtectedBranches project={project} reason={reasonAgainst('admin_protected_refs')} />
      <ProtectedTags project={project} reason={reasonAgainst('admin_protected_refs')} />
      <PushRulePanel
        title="Push rules"
        path={`${path}/push_rule`}
        about="A push that breaks one of these rules is refused, with the rule and the commit."
        reason={reasonAgainst('admin_project')}
      />
      <DeployKeys project={project} reason={reasonAgainst('admin_deploy_keys')} />
      <DeployTokens path={`${path}/deploy_tokens`} reason={reasonAgainst('admin_deploy_tokens')} />
      <PushMirrors project={project} reason={reasonAgainst('admin_project')} />
      <Read of={record}>
        {(found) => <PullMirror project={found} reason={reasonAgainst('admin_project')} />}
      </Read>
    </Panels>
  )
}
