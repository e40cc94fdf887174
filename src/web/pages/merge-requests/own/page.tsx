import { GitPullRequestArrow } from 'lucide'

import { useTitle } from '../../../frame/document-title.js'
import { useSearch } from '../../../frame/location.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader } from '../../../kit/panel.js'
import { ScopeChoice } from '../../../planned/scope-choice.js'
import { RequestList } from '../request-list.js'

const SCOPES = [
  ['reviews_for_me', 'To review'],
  ['assigned_to_me', 'Assigned to you'],
  ['created_by_me', 'Created by you'],
] as const

const EMPTY = {
  reviews_for_me: 'Nobody waits for your review.',
  assigned_to_me: 'No merge request is assigned to you.',
  created_by_me: 'You have created no merge request yet.',
}

/** The merge requests that concern the user, of all projects. */
export function Page() {
  useTitle('Your merge requests')
  const [search] = useSearch()
  const given = search.get('scope')
  const scope = SCOPES.find(([value]) => value === given)?.[0] ?? 'reviews_for_me'
  return (
    <>
      <PageHeader
        title="Your merge requests"
        actions={
          <ScopeChoice
            label="Which merge requests"
            page="merge-requests/own"
            scopes={SCOPES}
            current={scope}
          />
        }
      />
      <RequestList
        base={null}
        fixed={[['scope', scope]]}
        showsProject
        empty={<Empty icon={GitPullRequestArrow} title={EMPTY[scope]} />}
      />
    </>
  )
}
