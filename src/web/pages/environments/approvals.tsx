import { Check, X } from 'lucide'

import { projectApi } from '../../../addresses/first-reads.js'
import type { DeploymentApprovals } from '../../../coordinator/ci/deployments/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead } from '../../api/use-read.js'
import { notifyError } from '../../frame/notices.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { Button } from '../../kit/button.js'
import styles from './approvals.module.css'
import type { ShownDeployment } from './deployment-line.js'

interface ApprovalsProps {
  project: string
  deployment: Pick<ShownDeployment, 'id'>
}

/** Who has approved a blocked deployment, and the decision of the user. */
export function Approvals({ project, deployment }: ApprovalsProps) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const path = `${projectApi(project)}/deployments/${deployment.id}`
  const { data } = useRead<DeploymentApprovals>(path)
  const decide = useAction(async (status: 'approved' | 'rejected') => {
    await requestJson(`${path}/approval`, { method: 'POST', body: { status } })
    await refresh(`${projectApi(project)}/deployments`, `${projectApi(project)}/environments`)
  }, notifyError)
  if (!data || data.pending_approval_count + data.approvals.length === 0) return null
  const reason = reasonAgainst('manage_environments')
  return (
    <div class={styles['approvals']}>
      <span>
        {data.pending_approval_count} more {data.pending_approval_count === 1 ? 'approval' : 'approvals'}{' '}
        required
        {data.approvals.map(({ user, status }, index) => (
          <span key={index}>
            {' · '}
            {status} by {user?.name ?? 'a deleted account'}
          </span>
        ))}
      </span>
      {may('manage_environments') && (
        <>
          <Button
            size="small"
            icon={Check}
            isBusy={decide.isBusy}
            reason={reason}
            onClick={() => void decide.run('approved')}
          >
            Approve
          </Button>
          <Button
            size="small"
            icon={X}
            isBusy={decide.isBusy}
            reason={reason}
            onClick={() => void decide.run('rejected')}
          >
            Reject
          </Button>
        </>
      )}
    </div>
  )
}
