import { groupApi } from '../../../../addresses/first-reads.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { PageHeader, Panels } from '../../../kit/panel.js'
import { DeployTokens } from '../../../records/deploy-tokens.js'
import { PushRulePanel } from '../../../records/push-rule-panel.js'

/** What a group sets for the repositories of its projects. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`Repository settings · ${group}`)
  const path = groupApi(group)
  return (
    <>
      <PageHeader title="Repository settings" details="For the repositories of all projects inside." />
      <Allowed
        abilities={useGroupAbilities(group)}
        to="admin_group"
        otherwise="Owners change the settings of a group."
      >
        <Panels>
          <DeployTokens path={`${path}/deploy_tokens`} />
          <PushRulePanel
            title="Push rules of new projects"
            path={`${path}/push_rule`}
            about="Each new project in this group gets a copy of these rules, which its maintainers can change."
          />
        </Panels>
      </Allowed>
    </>
  )
}
