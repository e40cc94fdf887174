import { Cherry, Undo2 } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../addresses/address-of.js'
import { navigate } from '../../frame/location.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { Button } from '../../kit/button.js'
import { type Transplant, TransplantDialog } from '../../records/transplant-dialog.js'
import styles from './merge-box.module.css'
import type { ShownMergeRequest } from './shown-merge-request.js'

/** Reverts what was merged, or picks it onto another branch; nothing for users who may not push. */
export function AfterMerge({
  project,
  request,
  commit,
}: Omit<ShownMergeRequest, 'reload'> & { commit: string }) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [dialog, setDialog] = useState<Transplant>()
  if (!may('push_code')) return null
  const reason = reasonAgainst('push_code')
  return (
    <span class={styles['after']}>
      <Button size="small" icon={Undo2} reason={reason} onClick={() => setDialog('revert')}>
        Revert
      </Button>
      <Button size="small" icon={Cherry} reason={reason} onClick={() => setDialog('cherry-pick')}>
        Cherry-pick
      </Button>
      {dialog && (
        <TransplantDialog
          project={project}
          kind={dialog}
          commit={{ id: commit, short_id: commit.slice(0, 8) }}
          branch={request.target_branch}
          onClose={() => setDialog(undefined)}
          onDone={(_made, branch) => {
            const isTarget = branch === request.target_branch
            navigate(
              isTarget
                ? addressOf('code/tree', { project, ref_path: branch })
                : addressOf(
                    'merge-requests/new',
                    { project },
                    {
                      'merge_request[source_branch]': branch,
                      'merge_request[target_branch]': request.target_branch,
                    },
                  ),
            )
          }}
        />
      )}
    </span>
  )
}
