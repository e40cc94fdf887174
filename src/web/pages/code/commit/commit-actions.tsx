import { Cherry, GitBranchPlus, Tag, Undo2 } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { SingleCommit } from '../../../../coordinator/hosting/commits/schema.js'
import type { SimpleProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { useRead } from '../../../api/use-read.js'
import { navigate } from '../../../frame/location.js'
import { notify } from '../../../frame/notices.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Menu, MenuItem } from '../../../kit/menu.js'
import { type Transplant, TransplantDialog } from '../../../records/transplant-dialog.js'
import { NewRefDialog } from '../new-ref-dialog.js'

/** Cherry-picks and reverts a commit, and creates branches and tags from it; nothing for users who may not push. */
export function CommitActions({ project, commit }: { project: string; commit: SingleCommit }) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [dialog, setDialog] = useState<Transplant | 'branch' | 'tag'>()
  const record = useRead<SimpleProject>(projectApi(project), { staleTime: 60_000 }).data
  if (!may('push_code')) return null
  const reason = reasonAgainst('push_code')
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu label="Options">
        <MenuItem icon={Cherry} reason={reason} onSelect={() => setDialog('cherry-pick')}>
          Cherry-pick
        </MenuItem>
        <MenuItem icon={Undo2} reason={reason} onSelect={() => setDialog('revert')}>
          Revert
        </MenuItem>
        <MenuItem icon={GitBranchPlus} reason={reason} onSelect={() => setDialog('branch')}>
          New branch
        </MenuItem>
        <MenuItem icon={Tag} reason={reason} onSelect={() => setDialog('tag')}>
          New tag
        </MenuItem>
      </Menu>
      {(dialog === 'cherry-pick' || dialog === 'revert') && (
        <TransplantDialog
          project={project}
          kind={dialog}
          commit={commit}
          branch={record?.default_branch ?? ''}
          onClose={close}
          onDone={(made, branch) => {
            close()
            notify(`Committed to ${branch}`)
            navigate(addressOf('code/commit', { project, sha: made.id }))
          }}
        />
      )}
      {(dialog === 'branch' || dialog === 'tag') && (
        <NewRefDialog project={project} kind={dialog} from={commit.short_id} onClose={close} />
      )}
    </>
  )
}
