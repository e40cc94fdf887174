import { CircleDot, Milestone, Plus, SquareKanban, Tag } from 'lucide'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import { boot } from '../../../api/boot.js'
import { useTitle } from '../../../frame/document-title.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { LinkButton } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader } from '../../../kit/panel.js'
import { IssueList } from '../issue-list.js'
import { ChosenBar } from './chosen-bar.js'

/** The issues of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Issues · ${project}`)
  const { may, reasonAgainst } = useProjectAbilities(project)
  const mayCreate = boot.user !== null && may('create_issues')
  const create = mayCreate && (
    <LinkButton
      kind="primary"
      icon={Plus}
      reason={reasonAgainst('create_issues')}
      href={addressOf('issues/new', { project })}
    >
      New issue
    </LinkButton>
  )
  return (
    <>
      <PageHeader
        title="Issues"
        actions={
          <>
            <LinkButton icon={SquareKanban} href={addressOf('issues/boards', { project })}>
              Boards
            </LinkButton>
            <LinkButton icon={Tag} href={addressOf('issues/labels', { project })}>
              Labels
            </LinkButton>
            <LinkButton icon={Milestone} href={addressOf('issues/milestones', { project })}>
              Milestones
            </LinkButton>
            {create}
          </>
        }
      />
      <IssueList
        base={projectApi(project)}
        showsProject={false}
        empty={
          <Empty icon={CircleDot} title="There is no issue yet." action={create || undefined}>
            Issues are for bugs, ideas and tasks of the project.
            {!boot.user && ' Sign in to create one.'}
          </Empty>
        }
        {...(may('manage_issues') && {
          chosenBar: (chosen, clear, reload) => (
            <ChosenBar
              project={project}
              chosen={chosen}
              reason={reasonAgainst('manage_issues')}
              onClear={clear}
              onChanged={reload}
            />
          ),
        })}
      />
    </>
  )
}
