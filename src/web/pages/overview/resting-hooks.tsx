import { addressOf } from '../../../addresses/address-of.js'
import type { Hook } from '../../../coordinator/integrations/webhooks/schema.js'
import { useRead } from '../../api/use-read.js'
import { Alert } from '../../kit/alert.js'
import { LinkButton } from '../../kit/button.js'
import { Time } from '../../kit/time.js'
import type { ShownProject } from './shown-project.js'

/** Says which webhooks get no events at the moment, and until when, to those who may change them. */
export function RestingHooks({ project: { id, path_with_namespace: path } }: { project: ShownProject }) {
  const { data: hooks = [] } = useRead<Hook[]>(`/projects/${id}/hooks?per_page=100`)
  const resting = hooks.filter(({ alert_status: status }) => status !== 'executable')
  if (resting.length === 0) return null
  return (
    <Alert
      tone="warning"
      title={resting.length === 1 ? 'A webhook gets no events.' : `${resting.length} webhooks get no events.`}
      actions={
        <LinkButton size="small" href={addressOf('settings/hooks', { project: path })}>
          Show the webhooks
        </LinkButton>
      }
    >
      The receiver failed or did not respond.
      {resting.map((hook) => (
        <div key={hook.id}>
          {hook.name ?? hook.url}:{' '}
          {hook.disabled_until === null ? (
            'disabled until a test succeeds or it is changed'
          ) : (
            <>
              paused, tried again <Time value={hook.disabled_until} />
            </>
          )}
        </div>
      ))}
    </Alert>
  )
}
