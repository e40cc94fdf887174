import { List, Pencil, Plus, SquareKanban, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import type { Board } from '../../../coordinator/planning/boards/schema.js'
import { request } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead } from '../../api/use-read.js'
import { useTitle } from '../../frame/document-title.js'
import { navigate } from '../../frame/location.js'
import { notifyError } from '../../frame/notices.js'
import { NotFound, Read } from '../../frame/problem.js'
import { Button, LinkButton } from '../../kit/button.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { Empty } from '../../kit/empty.js'
import { Menu, MenuItem, MenuLine } from '../../kit/menu.js'
import { PageHeader, Panel } from '../../kit/panel.js'
import { FilterField } from '../../planned/filter-field.js'
import { UnknownWords, useFilter } from '../../planned/use-filter.js'
import { BoardDialog } from './board-dialog.js'
import { ListDialog } from './board-list-dialog.js'
import { useBoardRights } from './board-rights.js'
import { BoardView } from './board-view.js'
import { ISSUE_FILTER } from './issue-filter.js'
import { boardAddress, issuesAddress, ownerApi, type PlanOwner } from './plan-owner.js'

interface BoardPageProps {
  owner: PlanOwner
  /** ID of the board; the first one without it. */
  id: string | undefined
}

/** A board of a project or group. */
export function BoardPage({ owner, id }: BoardPageProps) {
  const boards = useRead<Board[]>(`${ownerApi(owner)}/boards?per_page=100`)
  const board = id === undefined ? boards.data?.[0] : boards.data?.find((each) => String(each.id) === id)
  useTitle(`${board?.name ?? 'Boards'} · ${owner.path}`)
  if (boards.data && !board && id !== undefined) return <NotFound isPage />
  return (
    <Read of={boards} title="Boards">
      {(all) => (board ? <Shown owner={owner} board={board} boards={all} /> : <NoBoard owner={owner} />)}
    </Read>
  )
}

function NoBoard({ owner }: { owner: PlanOwner }) {
  const { mayManage, reason } = useBoardRights(owner)
  const [creates, setCreates] = useState(false)
  const create = mayManage && (
    <Button kind="primary" icon={Plus} reason={reason} onClick={() => setCreates(true)}>
      New board
    </Button>
  )
  return (
    <>
      <PageHeader title="Boards" />
      <Panel>
        <Empty icon={SquareKanban} title="There is no board yet." action={create || undefined}>
          A board shows issues in lists: by label, by assignee or by milestone.
          {!mayManage && ' Members from the Reporter role on create boards.'}
        </Empty>
      </Panel>
      {creates && <NewBoard owner={owner} onClose={() => setCreates(false)} />}
    </>
  )
}

function NewBoard({ owner, onClose }: { owner: PlanOwner; onClose: () => void }) {
  return (
    <BoardDialog
      owner={owner}
      board={undefined}
      onClose={onClose}
      onSaved={({ id }) =>
        void refresh(`${ownerApi(owner)}/boards`).then(() => navigate(boardAddress(owner, id)))
      }
    />
  )
}

interface ShownProps {
  owner: PlanOwner
  board: Board
  boards: readonly Board[]
}

function Shown({ owner, board, boards }: ShownProps) {
  const { mayManage, reason } = useBoardRights(owner)
  const [open, setOpen] = useState<'new' | 'edit' | 'delete' | 'list'>()
  const { text, filter, setFilter } = useFilter(ISSUE_FILTER)
  const path = `${ownerApi(owner)}/boards`
  const reload = () => void refresh(path)
  const close = () => setOpen(undefined)
  const deleting = useAction(async () => {
    await request(`${path}/${board.id}`, { method: 'DELETE' })
    close()
    navigate(boardAddress(owner))
    await refresh(path)
  }, notifyError)
  return (
    <>
      <PageHeader
        title={board.name}
        actions={
          <>
            {(boards.length > 1 || mayManage) && (
              <Menu label="Boards">
                {boards.map(({ id, name }) => (
                  <MenuItem key={id} href={boardAddress(owner, id)}>
                    {name}
                  </MenuItem>
                ))}
                {mayManage && (
                  <>
                    <MenuLine />
                    <MenuItem icon={Plus} reason={reason} onSelect={() => setOpen('new')}>
                      New board…
                    </MenuItem>
                  </>
                )}
              </Menu>
            )}
            <LinkButton icon={List} href={issuesAddress(owner, { filter: text || undefined })}>
              List
            </LinkButton>
            {mayManage && (
              <>
                <Button icon={Plus} reason={reason} onClick={() => setOpen('list')}>
                  Add list
                </Button>
                <Menu name="More about the board">
                  <MenuItem icon={Pencil} reason={reason} onSelect={() => setOpen('edit')}>
                    Edit board…
                  </MenuItem>
                  <MenuItem icon={Trash2} isDangerous reason={reason} onSelect={() => setOpen('delete')}>
                    Delete board…
                  </MenuItem>
                </Menu>
              </>
            )}
          </>
        }
      />
      <FilterField
        label="Filter issues"
        table={ISSUE_FILTER}
        base={ownerApi(owner)}
        value={text}
        onChange={setFilter}
      />
      <UnknownWords filter={filter} example="due:overdue" />
      <BoardView
        key={board.id}
        owner={owner}
        board={board}
        filter={filter.query}
        mayManage={mayManage}
        reason={reason}
        onChanged={reload}
      />
      {open === 'new' && <NewBoard owner={owner} onClose={close} />}
      {open === 'edit' && <BoardDialog owner={owner} board={board} onClose={close} onSaved={reload} />}
      {open === 'list' && (
        <ListDialog owner={owner} path={`${path}/${board.id}`} onClose={close} onAdded={reload} />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={`Delete the board ${board.name}?`}
          action="Delete board"
          isBusy={deleting.isBusy}
          onConfirm={() => void deleting.run()}
          onClose={close}
        >
          <p>Its issues stay as they are. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
