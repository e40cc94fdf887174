import { CircleDot } from 'lucide'

import { useTitle } from '../../../frame/document-title.js'
import { useSearch } from '../../../frame/location.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader } from '../../../kit/panel.js'
import { ScopeChoice } from '../../../planned/scope-choice.js'
import { IssueList } from '../issue-list.js'

const SCOPES = [
  ['assigned_to_me', 'Assigned to you'],
  ['created_by_me', 'Created by you'],
] as const

/** The issues that concern the user, of all projects. */
export function Page() {
  useTitle('Your issues')
  const [search] = useSearch()
  const given = search.get('scope')
  const scope = SCOPES.find(([value]) => value === given)?.[0] ?? 'assigned_to_me'
  return (
    <>
      <PageHeader
        title="Your issues"
        actions={<ScopeChoice label="Which issues" page="issues/own" scopes={SCOPES} current={scope} />}
      />
      <IssueList
        base={null}
        fixed={[['scope', scope]]}
        showsProject
        empty={
          <Empty
            icon={CircleDot}
            title={
              scope === 'assigned_to_me' ? 'No issue is assigned to you.' : 'You have created no issue yet.'
            }
          />
        }
      />
    </>
  )
}
